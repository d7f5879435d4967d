"""Redaction as the owner does it, gaps and all (format page 8), for what the owner itself sends."""

from functools import partial
from typing import Final

from inspector.formats.zero.planning.addresses import addresses
from inspector.text import secret_shapes as shapes
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

    It misses names in camelCase, numbers and null in JSON, ``password: x``, passwords in addresses
    of databases, a bare ``Bearer x``, and names behind escaped quotes: `inspector.text.redaction`
    does not.
    """
    for rule in _RULES:
        text = rule(text)
    return text
