"""A time-travel inspector for the session tapes of AI agents."""

__version__ = "0.1.0"
