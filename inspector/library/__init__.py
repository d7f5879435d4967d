"""Finds the tapes of this machine, and tells which belong together."""
