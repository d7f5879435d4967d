"""Which records hang on which, and what of them the surface shows."""
