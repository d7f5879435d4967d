"""Other logs that a log stands on: what comes before it, and what it was copied from."""
