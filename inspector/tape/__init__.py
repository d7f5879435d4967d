"""Where bytes are and how they are cut into records; tolerant of damage.

Knows no agent and no screen. Sources are opened read-only and read by position; nothing is ever
written beside them.
"""
