"""Redaction of payloads: as the owner does it, gaps and all (format page 8), and as we do."""

from functools import partial
from typing import Final

from inspector.formats.zero.planning import lines
from inspector.formats.zero.planning.addresses import addresses
from inspector.text import secret_shapes as shapes
from inspector.text.secret_json import redacted_json
from inspector.text.secret_names import plain_names

_RULES: Final = (
    shapes.private_keys,
    partial(shapes.json_strings, names=plain_names),
    partial(shapes.assignments, names=plain_names),
    shapes.headers,
    shapes.secret_headers,
    addresses,
    partial(shapes.queries, names=plain_names),
    shapes.sk_keys,
    shapes.known_tokens,
)


def owners_redaction(text: str) -> str:
    """A text as the owner's ``RedactString`` leaves it.

    It takes JSON for a plain text: an escaped quote ends a secret, and what is assigned goes on
    behind the string that it is in. It misses names in camelCase, numbers in JSON, ``password: x``,
    passwords in addresses of databases, a bare ``Bearer x``, and names behind escaped quotes.
    """
    for rule in _RULES:
        text = rule(text)
    return text


def our_redaction(text: str) -> str:
    """A payload of JSON whose strings are redacted before they are text of JSON."""
    return redacted_json(text, lines.string)
