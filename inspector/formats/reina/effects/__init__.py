"""What records do, a room for each subject."""
