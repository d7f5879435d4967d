"""The owner's readers that can be followed."""

from typing import Final

HISTORY: Final = "deepchat"
"""What the model's history is made of: pending rows take part, though none is sent."""

SENT: Final = "deepchat:sent"
"""What search and replay read: pending rows take no part."""

ALONE: Final = "deepchat:alone"
"""A fork of a tape without its parent's rows, as the owner's own fold sees it (page 7A)."""

POLICIES: Final = (HISTORY, SENT, ALONE)
