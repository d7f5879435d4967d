"""The three histories of a cut, as plans speak of them; formats know them too."""

from inspector.formats.viewing import (
    Views,
    compacted,
    covers_from,
    default,
    is_summary,
    originals,
    views,
)

__all__ = ["Views", "compacted", "covers_from", "default", "is_summary", "originals", "views"]
