"""What the requests of a tape cost in tokens: a document for scripts, and its line for people."""

from typing import Any

from inspector.formats.contract import Tape
from inspector.text.labels import count, plural
from inspector.timeline.spending import spending


def usage(opened: Tape, cursor: int) -> dict[str, Any]:
    """The tape's own requests up to a cursor, and those that it inherited; ``aside`` are counted
    among the ``requests``.
    """
    found = spending(opened.timeline, cursor)
    return {"own": found.own._asdict(), "inherited": found.inherited._asdict()}


def words(document: dict[str, Any]) -> str | None:
    """The same in one line; None where nobody reported anything."""
    own, inherited = document["own"], document["inherited"]
    if not inherited["requests"]:
        return _words(own) if own["requests"] else None
    mine = _words(own) if own["requests"] else "none of its own"
    return f"{mine}; inherited: {_words(inherited)}"


def _words(spent: dict[str, int]) -> str:
    """``2 requests, sent 300 (100 from the cache), received 30``."""
    sent = spent["input"] + spent["cache_read"] + spent["cache_write"]
    kept = [
        f"{count(spent[key])} {what}"
        for key, what in (("cache_read", "from the cache"), ("cache_write", "into it"))
        if spent[key]
    ]
    aside = f" ({count(spent['aside'])} aside)" if spent["aside"] else ""
    cached = f" ({', '.join(kept)})" if kept else ""
    requests = f"{plural(spent['requests'], 'request')}{aside}"
    return f"{requests}, sent {count(sent)}{cached}, received {count(spent['output'])}"
