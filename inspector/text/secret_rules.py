"""What is looked for in a plain text, one rule after the other."""

import re
from collections.abc import Callable
from functools import partial
from typing import Final

from inspector.text import secret_commands as commands
from inspector.text import secret_shapes as shapes
from inspector.text.secret_addresses import addresses, authorizations, parameters
from inspector.text.secret_keys import key_blocks
from inspector.text.secret_members import assignments, is_member, members, tags
from inspector.text.secret_names import FOREIGN
from inspector.text.secret_pairs import declared, logged_in, pairs
from inspector.text.secret_prose import phrases, said, spoken
from inspector.text.secret_spared import spared_in_quotes
from inspector.text.secret_spelled import apart, percents
from inspector.text.secret_tokens import bearers, more_tokens

Rule = Callable[[str], str]


def redacted_plain(text: str) -> str:
    """A text that is taken for no JSON, in which the mark stands for every secret."""
    # The lines of a key may be ended by written line ends.
    return apart(key_blocks(text), _by_rules) if _SOME.search(text) else text


def _by_rules(text: str) -> str:
    return percents(_by_most_rules(text), _by_most_rules)


def _by_most_rules(text: str) -> str:
    lowered = text.lower()
    if not text.isascii() or any(part in lowered for part in _PARTS):
        text = _by(OF_NAMES, text)
    text = _by(OF_PLACES, text)
    return _by(OF_SHAPES, text) if _RUN.search(text) else text


def _by(rules: tuple[Rule, ...], text: str) -> str:
    for rule in rules:
        text = rule(text)
    return text


_PARTS: Final = (
    *("pass", "pw", "secret", "token", "key", "cred", "auth", "cookie", "jwt", "bearer", "pat"),
    *("kennwort", "otp", "sid", "sessi", "code", "pin", *filter(str.isascii, FOREIGN)),
)
"""One of them is in every text with a name of a secret."""

# One of them is in every text with a secret.
_SOME: Final = re.compile(
    r"(?i)[:=%(|]|--|</|-[abpuw]|pass|pw|secret|token|key|cred|auth|bearer|nemonic|phrase|identified"
    r"|stdin|/user:|[A-Za-z0-9_.+/-]{12}|[^\x00-\x7f]"
)
_RUN: Final = re.compile(r"[A-Za-z0-9_/-]{13}")

OF_NAMES: Final[tuple[Rule, ...]] = (
    partial(shapes.json_strings, names=is_member, spares=spared_in_quotes),
    authorizations,
    members,
    assignments,
    pairs,
    declared,
    tags,
    commands.options,
    commands.settings,
    said,
)
"""What is looked for where a name of a secret is."""

OF_PLACES: Final[tuple[Rule, ...]] = (
    spoken,
    logged_in,
    addresses,
    parameters,
    commands.logins,
    commands.short_passwords,
    commands.net_files,
    commands.told,
    commands.piped,
    phrases,
    bearers,
)
"""What is looked for by other words and signs around it."""

OF_SHAPES: Final[tuple[Rule, ...]] = (shapes.sk_keys, shapes.known_tokens, more_tokens)
"""What is looked for by itself."""

RULES: Final[tuple[Rule, ...]] = (key_blocks, *OF_NAMES, *OF_PLACES, *OF_SHAPES)
"""All that is looked for, in order."""
