"""Secrets in texts that leave a tape: found by their shape, and replaced by a mark."""

import re
from typing import Final

MARK: Final = "[REDACTED]"
"""What stands for a secret."""

_TOKENS: Final = re.compile(
    r"\b(?:sk-ant-[A-Za-z0-9_-]{20,}|github_pat_[A-Za-z0-9_]{22,}|gh[pousr]_[A-Za-z0-9]{36,}"
    r"|glpat-[A-Za-z0-9_-]{12,}|AIza[A-Za-z0-9_-]{35,}|xox[baprs]-[A-Za-z0-9-]{10,}"
    r"|(?:AKIA|ASIA)[A-Z0-9]{16}|eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+)"
)


def redacted(text: str) -> str:
    """A text in which the mark stands for every secret that is told by its shape."""
    return _TOKENS.sub(MARK, text)
