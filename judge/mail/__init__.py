"""Mail: sources, reading, proof of sender, composing and sending."""
