"""What entries do: to the surface, and beside it."""
