"""The entries by their parents, and what of the path to the last one is the context."""
