"""One mail of a person: who wrote it, whether he may, what it asks, done in its order, and the receipt."""
