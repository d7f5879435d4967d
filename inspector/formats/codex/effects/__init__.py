"""What records do, in the words of the builder."""
