"""Many agents below, many views above, and no agent's name anywhere but in its own package."""

import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

import inspector
from inspector.formats.registry import OWN

PACKAGE = Path(inspector.__file__).parent
FORMATS = PACKAGE / "formats"
SECRETS = PACKAGE / "text" / "secret_names.py"
REGISTRY = FORMATS / "registry.py"

OWNERS = ("deepseek", "anthropic", "openai")
"""Whose agents they are."""

ORDINARY = {"pi", "zero"}
"""Names that are also words of the language, or parts of many: in prose they are no names."""

NAMES = {format_.name for format_ in OWN} | {"dsh", "zero", "claude", "codex", "deepchat", "reina"}


def modules() -> Iterator[Path]:
    """Everything that is not a format's own."""
    for path in sorted([*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.tcss")]):
        own = path.is_relative_to(FORMATS) and path.relative_to(FORMATS).parts[0] in NAMES
        if not own and path != REGISTRY:
            yield path


def words_of_code(source: str) -> Iterator[str]:
    """The words of identifiers and of strings that are no docstrings."""
    fresh = True
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.NAME or (token.type == tokenize.STRING and not fresh):
            yield from re.findall(r"[A-Z]?[a-z]+|[A-Z]+", token.string)
        # A string that begins a statement is prose.
        fresh = token.type in (tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT)


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_module_outside_its_package_names_an_agent(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    # A maker's name before "key" tells that a secret follows, whoever wrote the tape.
    owners = set() if path == SECRETS else {*OWNERS}
    named = {name for name in (NAMES - ORDINARY) | owners if name in text.lower()}
    if path.suffix == ".py":
        named |= ORDINARY & {word.lower() for word in words_of_code(text)}
    assert named == set()


def test_the_words_of_code_are_found_and_those_of_prose_are_not() -> None:
    source = '"""Zero in prose."""\nfrom x import ZeroFormat\nzero_reader = f("by zero")\n'
    assert [word for word in words_of_code(source) if word.lower() == "zero"] == [
        "Zero",
        "zero",
        "zero",
    ]
