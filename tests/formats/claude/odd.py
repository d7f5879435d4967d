"""Short transcripts as odd as can be: what they name repeats, misses, and goes round in circles."""

import random
from typing import Final

from hypothesis import strategies as st

from tests.formats.claude.transcripts import (
    Record,
    answer,
    attachment,
    beside,
    boundary,
    call,
    notice,
    record,
    result,
    summary,
    text,
    user,
)

_KINDS: Final = (
    *("user", "line", "line", "line", "result", "result", "boundary", "boundary"),
    *("queued", "file", "briefing", "notice", "clearing", "progress", "summary", "leaf"),
    *("short", "talk"),
)


class _Odd:
    """Names things out of a handful, whatever came before."""

    def __init__(self, throw: random.Random) -> None:
        self._throw = throw
        self._most = throw.randrange(3, 8)
        self._again = throw.choice((0.0, 0.3))
        self.records: list[Record] = []

    def _id(self) -> str:
        return f"u{self._throw.randrange(self._most)}"

    def _message(self) -> str:
        return f"m{self._throw.randrange(3)}"

    def _call(self) -> str:
        return f"c{self._throw.randrange(3)}"

    def _more(self) -> Record:
        throw, more = self._throw, Record()
        if throw.random() < 0.12:
            more["isSidechain"] = True
        if throw.random() < 0.06:
            more["teamName"] = "a team"
        if throw.random() < 0.06:
            more["isMeta"] = True
        if throw.random() < 0.3:
            more["timestamp"] = f"2026-06-01T09:00:{throw.randrange(60):02}.000Z"
        return more

    def write(self) -> None:
        """One more record."""
        throw = self._throw
        new = f"u{len([one for one in self.records if 'uuid' in one])}"
        uuid = self._id() if throw.random() < self._again else new
        parent = None if throw.random() < 0.12 else self._id()
        if self.records and throw.random() < 0.4:
            parent = self.records[-1].get("uuid", parent)
        self.records.append(self._made(uuid, parent))

    def _made(self, uuid: str, parent: str | None) -> Record:
        throw, more = self._throw, self._more()
        match throw.choice(_KINDS):
            case "line":
                more["usage"] = {"input_tokens": 1, "output_tokens": throw.randrange(9)}
                blocks = [throw.choice((text("so"), call(self._call()))) for _ in range(2)]
                return answer(uuid, parent, *blocks, of=self._message(), **more)
            case "result":
                if throw.random() < 0.4:
                    more["sourceToolAssistantUUID"] = self._id()
                return result(uuid, parent, self._call(), **more)
            case "boundary":
                return self._boundary(uuid, parent, more)
            case "queued":
                source = {"source_uuid": self._id()} if throw.random() < 0.4 else {}
                return {**attachment(uuid, parent, "queued_command", prompt="then", **source)}
            case "file":
                return {**attachment(uuid, parent, "file", filename="a"), **more}
            case "briefing":
                return {**attachment(uuid, parent, "fork_briefing"), **more}
            case "clearing":
                cleared = {
                    "compactedToolIds": [self._call()],
                    "clearedAttachmentUUIDs": [self._id()],
                }
                return notice(uuid, parent, "microcompact_boundary", microcompactMetadata=cleared)
            case "notice":
                return notice(uuid, parent, "informational", content="nothing", **more)
            case "progress":
                return record("progress", uuid, parent, **more)
            case "summary":
                return {**summary(uuid, parent or "u0"), **more}
            case "leaf":
                return beside("last-prompt", leafUuid=self._id(), explicit=throw.random() < 0.5)
            case "short":
                told = [{"kind": "tool-result", "toolUseId": self._call(), "replacement": "so"}]
                return beside("content-replacement", replacements=told)
            case "talk":
                call_of = {"origin": {"kind": "voice-call"}, "content": "well"}
                return notice(uuid, parent, "voice_call_talk", **call_of)
        return user(uuid, parent, **more)

    def _boundary(self, uuid: str, parent: str | None, more: Record) -> Record:
        throw, anchor = self._throw, self._id()
        if throw.random() < 0.4:
            segment = {"headUuid": self._id(), "tailUuid": self._id(), "anchorUuid": anchor}
            kept = {"preservedSegment": segment}
        else:
            uuids = [self._id() for _ in range(throw.randrange(4))]
            kept = {"preservedMessages": {"anchorUuid": anchor, "uuids": uuids}}
        return {**boundary(uuid, parent if throw.random() < 0.5 else None, **kept), **more}


def odd_tape(throw: random.Random) -> list[Record]:
    """From three to eight records."""
    odd = _Odd(throw)
    for _ in range(throw.randrange(3, 9)):
        odd.write()
    return odd.records


@st.composite
def odd_tapes(draw: st.DrawFn) -> list[Record]:
    """The same, as hypothesis wants it."""
    return odd_tape(draw(st.randoms(use_true_random=True)))
