"""Carrying out plans: new tapes and appended records, all of it or nothing, and the way back."""
