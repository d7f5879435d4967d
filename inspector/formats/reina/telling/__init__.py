"""Records in words, for people."""
