"""What events say is asked once, and kept within bounds."""

from typing import cast

import pytest

from inspector.formats.contract import Headline, Tape
from inspector.formats.parts import Call, File, Part, Said
from inspector.lenses import sayings as module
from inspector.lenses.sayings import Sayings


class Asked:
    """A tape that counts what it is asked."""

    def __init__(self, size: int = 1) -> None:
        self.asked: list[tuple[str, int]] = []
        self._size = size

    def parts(self, event: int) -> list[Part]:
        self.asked.append(("parts", event))
        return [Said("x" * self._size), Call(None, "bash", {"command": "ls"}), File("a", "", None)]

    def headline(self, event: int) -> Headline:
        self.asked.append(("headline", event))
        return Headline("event", None, str(event))

    def is_partial(self, event: int) -> bool:
        self.asked.append(("partial", event))
        return event == 1

    def asked_about(self, event: int) -> str | None:
        self.asked.append(("about", event))
        return None


def test_everything_is_asked_once() -> None:
    tape = Asked()
    said = Sayings(cast(Tape, tape))
    for _ in range(3):
        assert said.headline(4).text == "4"
        assert said.is_partial(1)
        assert not said.is_partial(2)
        assert said.asked_about(3) is None
        assert said.parts(5) == said.parts(5)
    assert tape.asked == [
        ("headline", 4),
        ("partial", 1),
        ("partial", 2),
        ("about", 3),
        ("parts", 5),
    ]


def test_what_was_not_asked_for_long_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_KEPT", 2)
    tape = Asked()
    said = Sayings(cast(Tape, tape))
    for event in (1, 2, 1, 3, 1, 2):
        said.parts(event)
        said.headline(event)
    assert [event for what, event in tape.asked if what == "parts"] == [1, 2, 3, 2]
    assert [event for what, event in tape.asked if what == "headline"] == [1, 2, 3, 2]


def test_long_texts_are_kept_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_CHARACTERS", 1_000)
    tape = Asked(size=600)
    said = Sayings(cast(Tape, tape))
    for event in (1, 2, 2, 1):
        said.parts(event)
    assert [event for _, event in tape.asked] == [1, 2, 1]
