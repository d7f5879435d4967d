"""The lenses as layers over the main screen: what each asks of a tape, and its rows."""
