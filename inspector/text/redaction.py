"""Secrets in texts that leave a tape: found by where they stand or by their shape, and hidden.

They are masked where they look like secrets. What looks like one and may be none is masked; what
reads as code or as a sentence stays. The families, each with its rules in a module of its own:

- Names and values (`secret_members`): ``password: x``, ``API_KEY=x``, ``"token" => "x"``, lists and
  objects under a name, tags; and name and value side by side (`secret_pairs`). Which names:
  `secret_names`. A name that may be one of something else (``key``, ``auth``, ``sid``, ``code``)
  hides only what nobody would write. What is spared: `secret_spared`. A value in quotes ends at its
  quote, a bare one at white space (`secret_values`).
- Headers and addresses (`secret_addresses`): ``Authorization``, cookies, passwords and tokens
  before the host, parameters.
- Commands (`secret_commands`): options, ``-u name:x``, ``-px``, files of logins, settings, pipes.
- Sentences and tables (`secret_prose`): ``the password is x1y2z3``, names in other languages.
- Private keys (`secret_keys`) and tokens of known makers (`secret_tokens`, `secret_shapes`), for
  which no name is needed. Nothing else is hidden for its looks alone: digests, ids and code stay.
- JSON (`secret_json`), as a whole or inside of a text: each string is read, hidden in and written
  anew, so JSON stays JSON.
- Other spellings (`secret_spelled`): written line ends, colours, percents.

Not found: a password of words that nobody names, one with white space in no quotes beyond its first
word, a name with letters of another alphabet or with invisible ones between, a short token that no
maker's beginning tells, ids of sessions of agents (which a tape is read by).
"""

from typing import Final

from inspector.text.secret_json import redacted_json
from inspector.text.secret_rules import RULES
from inspector.text.secret_shapes import MARK

__all__ = ["MARK", "RULES", "redacted"]


def redacted(text: str) -> str:
    """A text in which the mark stands for every secret that is told by its place or shape.

    What is hidden already stays as it is. JSON stays JSON, and any text has an answer.
    """
    for _ in range(_TIMES):
        told = redacted_json(text)
        if told == text:
            break
        text = told
    return text


_TIMES: Final = 5
"""Looks at a text: a mark may tell where another secret is."""
