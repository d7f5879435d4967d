"""The owner's verdict: what Pi itself would do with a session (rules page P1, P2, P5)."""

from collections.abc import Mapping
from typing import Any, Final, Protocol

from inspector.formats.contract import Verdict
from inspector.formats.pi.tree.context import Context
from inspector.formats.pi.tree.store import NONE, Tree
from inspector.formats.pi.vocabulary import CURRENT, MESSAGE, OWNER
from inspector.text.gate import clean_line
from inspector.text.jsontext import json_text

NO_SESSION: Final = "Session file is not a valid pi session"
_NO_REPLACEMENT: Final = "Cannot read properties of undefined (reading 'content')"
_NO_MESSAGE: Final = "Cannot read properties of {} (reading 'role')"
_NO_MEMBERS: Final[dict[type, str]] = {
    int: "number",
    float: "number",
    str: "string",
    bool: "boolean",
}
_SAID: Final = 60
_NO_END: Final = "it never ends: the parents of the last entry go round until its memory is full"


class Judge:
    """Collects what the verdict rests on while the session is folded.

    Attributes:
        opened: the header, which must be the first entry, was read.
        refused: the first entry is no header.
        version: of the header.
        unnumbered: the first entry of version 1 to which the owner cannot give an id, and what it
            says then.
        speechless: by the entries of messages that have none, what the owner finds there instead.
    """

    def __init__(self) -> None:
        self.opened = False
        self.refused = False
        self.version = CURRENT
        self.unnumbered: tuple[int, str] | None = None
        self.speechless: dict[int, str] = {}

    def heard(self, value: Mapping[str, Any], event: int) -> None:
        """An entry comes: a message that has none makes the owner fail wherever it is on the path,
        also where a compaction or an edit hides it; one that is no object does not.
        """
        if value.get("message") is None and value.get("type") == MESSAGE:
            self.speechless[event] = "null" if "message" in value else "undefined"

    def numbered(self, value: Any, event: int) -> None:
        """An entry of version 1 that is no object comes: the owner, which gives each an id when it
        opens the file, fails at one that can have none (`migrateV1ToV2` of Pi 1.6.0).
        """
        kind = _NO_MEMBERS.get(type(value))
        if kind is not None and self.unnumbered is None:
            said = clean_line(value if isinstance(value, str) else json_text(value), _SAID)
            self.unnumbered = event, f"Cannot create property 'id' on {kind} '{said}'"

    def verdict(
        self,
        *,
        circle: int | None,
        broken: int | None,
        unended: bool,
        empty: bool,
        speechless: int | None = None,
    ) -> Verdict:
        """What the owner would do.

        Args:
            circle: the last entry, if its path never ends.
            broken: the edit at which the owner fails, if one counts.
            unended: nothing ends the last line.
            speechless: the first entry of a message on the path that has none, if there is one.
            empty: the file has no byte.
        """
        if not self.opened:
            if empty:
                return Verdict(OWNER, True, "an empty file: it writes a header into it")
            return Verdict(OWNER, False, f"{NO_SESSION}; the file is left as it is")
        if self.unnumbered is not None:
            event, why = self.unnumbered
            return Verdict(OWNER, False, why, event)
        if circle is not None:
            return Verdict(OWNER, False, _NO_END, circle)
        if speechless is not None:
            found = self.speechless.get(speechless, "undefined")
            return Verdict(OWNER, False, _NO_MESSAGE.format(found), speechless)
        if broken is not None:
            return Verdict(OWNER, False, _NO_REPLACEMENT, broken)
        told = []
        if self.version < CURRENT:
            told.append(
                f"rewrites the file on open: version {self.version} becomes version {CURRENT}"
            )
        if unended:
            told.append("appends a line end to the last line on open")
        return Verdict(OWNER, True, "; ".join(told) or None)


class Standing(Protocol):
    """Where a folded session stands; see `inspector.formats.pi.effects.history.History`."""

    leaf: int
    circle: bool

    def context(self) -> Context:
        """What counts there."""


class Folded(Protocol):
    """A session that was folded; see `inspector.formats.pi.decoder.PiDecoder`."""

    judge: Judge
    tree: Tree

    @property
    def history(self) -> Standing:
        """Where it stands."""

    def read(self, event: int) -> dict[str, Any]:
        """An entry by its position."""


def judged(folded: Folded, *, unended: bool, empty: bool) -> Verdict:
    """What the owner would do with a session as far as it is folded.

    Args:
        folded: it.
        unended: nothing ends the last line.
        empty: the file has no byte.
    """
    judge, tree, history = folded.judge, folded.tree, folded.history
    speechless = broken = None
    edits = any(edit.form == "broken" for edit in tree.edits.values())
    if (judge.speechless or edits) and not history.circle and _stands(folded):
        path = reversed(tree.path(history.leaf)[0]) if judge.speechless else ()
        speechless = next((event for event in path if event in judge.speechless), None)
        broken = history.context().breaks(tree) if edits else None
    return judge.verdict(
        circle=history.leaf if history.circle else None,
        broken=broken,
        unended=unended,
        empty=empty,
        speechless=speechless,
    )


def _stands(folded: Folded) -> bool:
    """Whether the owner stands on the last entry; on one whose id is null it does not (page P1)."""
    leaf = folded.history.leaf
    if leaf == NONE:
        return False
    return folded.judge.version < 2 or folded.read(leaf).get("id", "") is not None
