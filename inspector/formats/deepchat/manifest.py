"""The hash of a view manifest, checked as its owner checks it (format page 6)."""

import hashlib
from typing import Any, Final

import orjson

from inspector.formats.shapes import mapping

VALID: Final = "valid"
INVALID: Final = "invalid"
UNVERIFIED: Final = "unverified"

_HASH_VERSION: Final = 2
_LEFT_OUT: Final = ("assembledAt", "viewId")


def integrity(manifest: dict[str, Any]) -> str:
    """Whether a manifest is what its hash says; ``unverified`` where nobody knows the recipe."""
    if manifest.get("hashVersion") != _HASH_VERSION:
        return UNVERIFIED
    hashes = mapping(manifest.get("hashes"))
    stated = hashes.get("manifestHash")
    without = {key: value for key, value in manifest.items() if key not in _LEFT_OUT}
    without["hashes"] = {key: value for key, value in hashes.items() if key != "manifestHash"}
    computed = hash_of(without)
    if computed is None or not isinstance(stated, str):
        return UNVERIFIED if computed is None else INVALID
    return VALID if computed == stated else INVALID


def hash_of(value: Any) -> str | None:
    """SHA-256 of a value as JSON with sorted keys and without spaces; None where that is not sure.

    What a library writes is what the owner's language writes, but for lone surrogates, numbers
    beyond 64 bits and keys that are numbers, of which a manifest has none.
    """
    try:
        written = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:
        return None
    return hashlib.sha256(written).hexdigest()
