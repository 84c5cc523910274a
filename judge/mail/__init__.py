"""Letters: reading, proof of sender, composing, sending, and the sources they come from."""
