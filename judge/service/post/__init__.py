"""Letters: writing them, choosing their readers, delivering them, and handling bounces."""
