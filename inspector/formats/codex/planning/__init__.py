"""Plans for a log: where it may be cut, and the bytes that would be written."""
