"""What the owner keeps beside its database: whether it is encrypted (format page 1)."""

from typing import Final

from inspector.formats.contract import Annex
from inspector.formats.deepchat.values import read_object
from inspector.formats.shapes import mapping, text
from inspector.tape.source import Source
from inspector.text.gate import clean_line

_LONGEST: Final = 64 * 1024
"""Bytes of such a file; those of a stranger that has more are not looked at."""

_STORAGES: Final = {
    "safeStorage": "the password is kept by the system's key store",
    "manual": "the password is typed in at every start",
    "none": "no password is kept",
}


def security(source: Source) -> Annex | None:
    """What ``database-security.json`` says; None if a text is something else."""
    head = source.read(0, _LONGEST + 1)
    if len(head) > _LONGEST:
        return None
    document = read_object(head.decode("utf-8", "replace"))[0]
    # The owner's settings library keeps the value under this key.
    metadata = mapping(document.get("metadata")) or document
    enabled, cipher = metadata.get("enabled"), text(metadata.get("cipher"))
    if type(enabled) is not bool or "passwordStorage" not in metadata:
        return None
    if not enabled:
        return Annex(_WHAT, ("DeepChat says that its database is not encrypted",), ())
    with_cipher = f" with {clean_line(cipher, 40)}" if cipher else ""
    storage = _STORAGES.get(text(metadata.get("passwordStorage")))
    facts = [f"DeepChat says that its database is encrypted{with_cipher}"]
    return Annex(_WHAT, tuple([*facts, storage] if storage else facts), ())


_WHAT: Final = "how DeepChat encrypts its database"
