"""What writes: a screen of its own, apart from what plans."""
