"""What the rows do, told to the builder."""
