"""The screen: the only part that imports Textual, and only where a file says so."""
