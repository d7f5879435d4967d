"""Entries in words."""
