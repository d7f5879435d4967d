"""Logs before and after version 0 was settled: old shapes of it, and the versions that follow."""

from collections.abc import Sequence
from typing import Any, Final

from sample_tapes.writing import FLASH, PROVIDER, SYSTEM, Call, Json, Tape, picture, text_block

_MODEL: Final = {"provider": PROVIDER, "model": FLASH}
_FAILURE: Final = {"message": "upstream overloaded", "code": "SERVER", "status": 503}


def legacy_shapes() -> Tape:
    """Every old shape that the owner brings up to date when it reads a log."""
    tape = Tape("sample-legacy-shapes")
    tape.event("turn/start", {"turn": 1, "trigger": {"kind": "user"}})
    _said(tape, "user/message", _words("How long is the changelog?"))
    _said(tape, "assistant/message", _answered(Call("call-1", "bash", '{"command":"wc -l"}')))
    call = {"callId": "call-1", "name": "bash", "arguments": '{"command":"wc -l"}'}
    called = tape.event("tool/call", {"turn": 1, "step": 1, **call})
    result = _said(tape, "tool/result", _result("212 lines"), sources=[called])
    span = {"op": "replace", "start": result, "end": result}
    tape.event("tool/result", _result("212"), sources=[result], surface=span)
    _said(tape, "steering/message", {"turn": 1, **_words("Only a number, please.")})
    whole = {"id": "user-2", "role": "user", **_words("In words.")}
    _said(tape, "steering/message", {"turn": 1, "message": whole})
    _said(tape, "assistant/message", _answered("Two hundred and twelve."))
    _ended(tape, 1, kind="aborted")
    for turn, reason in enumerate(_REASONS, 2):
        tape.event("turn/start", {"turn": turn, "trigger": {"kind": "user"}})
        _said(tape, "user/message", _words("Again."))
        _ended(tape, turn, **reason)
    return tape


_REASONS: Final[tuple[Json, ...]] = (
    {"kind": "disposed"},
    {"kind": "error", "step": 1, "failure": _FAILURE},
    {"kind": "error", "step": 1, "message": "upstream overloaded", "code": "SERVER"},
    {"kind": "error", "step": 1, "message": "nobody knows why"},
)
"""Why a turn ended, as it was once said."""


def _said(tape: Tape, kind: str, data: Json, sources: Sequence[int] | None = None) -> int:
    return tape.event(kind, data, sources=sources, surface="append")


def _words(text: str) -> Json:
    return {"content": [text_block(text)], "source": {"kind": "user"}}


def _answered(said: str | Call) -> Json:
    block = said.block() if isinstance(said, Call) else text_block(said)
    return {"turn": 1, "step": 1, "content": [block], "provenance": _MODEL}


def _result(text: str) -> Json:
    said = {"callId": "call-1", "content": [text_block(text)], "isError": False}
    return {"turn": 1, "step": 1, **said}


def _ended(tape: Tape, turn: int, **reason: Any) -> None:
    tape.event("turn/end", {"turn": turn, "reason": reason})


class Later(Tape):
    """Writes a log of version 3 or 4, which say some things differently.

    Args:
        session: the session's id.
        version: 3 or 4.
        lineage: keys of the header in the place of its own, or beside them.
    """

    def __init__(self, session: str, version: int, **lineage: Any) -> None:
        self._version = version
        super().__init__(session, version=version, **{"isSeeded": False, **lineage})

    def begin(self, words: str, *pictures: Json) -> int:
        """A turn whose first node is the system prompt; returns the seq of the person's words."""
        self.turn()
        self.step()
        self._append("system/message", self._prompt_of_system(SYSTEM))
        seq = self._append("user/message", self._words(words, pictures))
        self.request()
        return seq

    def change_system(self, seq: int, text: str) -> int:
        """Another system prompt takes the place of the one before."""
        return self._replace("system/message", self._prompt_of_system(text), [seq], [seq])

    def developer(self, text: str) -> int:
        """What the harness tells the model of itself."""
        message = {
            "id": self._id("developer"),
            "role": "developer",
            "content": [text_block(text)],
            "source": {"kind": "runtime-context"},
        }
        return self._append("developer/message", {**self.place(), "message": message})

    def _prompt_of_system(self, text: str) -> Json:
        plugin = {"kind": "plugin", "plugin": "@deepseek-ai/dsh-system-prompt"}
        message = {
            "id": self._id("system"),
            "role": "system",
            "content": [text_block(text)],
            "source": plugin if self._version < 4 else {"kind": "system-prompt"},
        }
        return {**self.place(), "message": message}

    # What is said differently.

    def _preamble(self) -> Json:
        return {}

    def _span(self, hides: Sequence[int]) -> Json:
        return {"op": "replace", "startSeq": hides[0], "endSeq": hides[-1]}

    def _answered(self, data: Json, _sources: list[int]) -> int:
        finish = {"type": "finish", "reason": {"kind": "stop"}}
        stream = [{"type": "chunk", "time": self._time, "chunk": finish}]
        return self._append("assistant/message", {**data, "stream": stream})

    def _result_message(self, call: Call, text: str, failed: bool) -> Json:
        if self._version < 4:
            return super()._result_message(call, text, failed)
        return {
            "id": self._id("result"),
            "role": "tool",
            "toolCallId": call.id,
            "source": {"kind": "tool", "callId": call.id},
            "content": [text_block(text)],
            "isError": failed,
        }

    def _compact_source(self) -> Json:
        return super()._compact_source() if self._version < 4 else {"kind": "compact-checkpoint"}


def version_3() -> Tape:
    """The system prompt stands on the surface and is replaced there; so are messages."""
    tape = Later("sample-version-3", 3)
    words = tape.begin("How old is signpost/clock.py?")
    command = {"command": "git log -1 --format=%cs -- signpost/clock.py", "description": "Its age"}
    tape.use("", "bash", command, "2025-11-04")
    tape.step()
    tape.change_system(words - 1, f"{SYSTEM}\n\nAnswer in one sentence.")
    tape.answer("It was last changed on 2025-11-04.")
    tape.end_turn()
    tape.compact("signpost/clock.py is of 2025-11-04.", manual=True, spare=1)
    return tape


_PICTURE: Final = picture(b"a grey button", "login.png", 640, 400)


def version_4() -> Tape:
    """A fork of a turn that was open, results of a role of their own, an image taken out again."""
    tape = Later("sample-version-4", 4, isSeeded=True, parentSession="sample-version-4-parent")
    words = tape.begin("Why is the button of this page grey?", _PICTURE)
    call = tape.call("grep", pattern="disabled", path="web/login.html")
    tape.answer("I will look for it.", call)
    tape.run(call)
    tape.event("session/end-seed", {"inherited": True})
    tape.result(call, "Error: the outcome is not known in this fork.", failed=True)
    tape.end_turn("forked")
    tape.prompt("Then look again.")
    tape.developer("The tool grep is called search from now on.")
    tape.use("", "search", {"pattern": "disabled"}, "web/login.html:31: disabled until it is valid")
    tape.step()
    offloaded = {"seq": words, "imageIndexes": [0]}
    tape.event("image/offload", {"targets": [offloaded]})
    tape.answer("It is disabled until the form is valid.")
    tape.end_turn()
    tape.compact("The button is grey until the form is valid.", manual=True, spare=1)
    return tape
