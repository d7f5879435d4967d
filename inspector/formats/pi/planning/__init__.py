"""Plans for sessions of Pi: forks, moves of the leaf, compactions."""
