"""What could be made of a log, and what would be written."""
