"""Plans on the screen: the menu, the dialog, and what of it needs no screen."""
