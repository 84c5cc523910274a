"""Letters: written, told to whom they concern, delivered, and what becomes of those that come back."""
