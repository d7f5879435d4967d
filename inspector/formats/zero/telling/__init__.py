"""Events in words, for people."""
