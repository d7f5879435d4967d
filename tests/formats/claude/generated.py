"""Transcripts that no writer would write: every kind of record, hanging on anything at all."""

import random

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

KINDS = (
    *("user", "assistant", "call", "result") * 3,
    *("parallel", "parallel", "attachment", "queued", "notice", "progress"),
    *("boundary", "summary", "clearing", "side", "meta", "beside", "leaf", "again"),
)


class Writer:
    """Writes records and knows which came before."""

    def __init__(self, throw: random.Random, *, plain: bool) -> None:
        self._throw = throw
        self._plain = plain
        self._calls: list[str] = []
        self._lines: list[str] = []
        self.records: list[Record] = []

    def _uuid(self) -> str:
        return f"n{len(self.records)}"

    def _parent(self) -> str | None:
        throw, named = self._throw, [one["uuid"] for one in self.records if "uuid" in one]
        dice = throw.random()
        if not named or dice < 0.04:
            return None
        if dice < 0.07:
            return "nobody"
        if dice < 0.10:
            return f"n{len(self.records) + throw.randrange(4)}"
        if dice < 0.25:
            return str(throw.choice(named))
        return str(named[-1])

    def write(self) -> None:
        """One more record."""
        throw, uuid = self._throw, self._uuid()
        kind = throw.choice(KINDS)
        if self._plain and kind in ("boundary", "parallel", "again"):
            kind = "user"
        self.records.append(self._made(kind, uuid))

    def _made(self, kind: str, uuid: str) -> Record:
        throw, parent = self._throw, self._parent()
        if kind in ("call", "parallel"):
            self._calls.append(f"c{len(self._calls)}")
            of = f"m{len(self._calls) // 3}" if kind == "parallel" else ""
            self._lines.append(uuid)
            return answer(uuid, parent, call(self._calls[-1]), of=of)
        if kind == "result" and self._calls:
            at = throw.randrange(len(self._calls))
            above = self._lines[at] if throw.random() < 0.7 and not self._plain else parent
            return result(uuid, above, self._calls[at], sourceToolAssistantUUID=self._lines[at])
        if kind == "again" and self.records:
            old = throw.choice(self.records)
            return {**old, "parentUuid": parent} if throw.random() < 0.5 else dict(old)
        if kind == "boundary":
            return self._boundary(uuid)
        return self._other(kind, uuid, parent)

    def _boundary(self, uuid: str) -> Record:
        throw, named = self._throw, [one["uuid"] for one in self.records if "uuid" in one]
        coming = f"n{len(self.records) + 1}"
        kept = named[-throw.randrange(1, 4) :]
        dice = throw.random()
        if kept and dice < 0.3:
            segment = {"headUuid": kept[0], "tailUuid": kept[-1], "anchorUuid": coming}
            return boundary(uuid, preservedSegment=segment)
        if kept and dice < 0.6:
            return boundary(uuid, preservedMessages={"anchorUuid": coming, "uuids": kept})
        return boundary(uuid)

    def _other(self, kind: str, uuid: str, parent: str | None) -> Record:
        match kind:
            case "assistant":
                return answer(uuid, parent, text("an answer"), stop_reason="end_turn")
            case "attachment":
                return attachment(uuid, parent, "file", filename="a.txt")
            case "queued":
                return attachment(uuid, parent, "queued_command", prompt="and then")
            case "notice":
                return notice(uuid, parent, "informational", content="nothing")
            case "progress":
                return record("progress", uuid, parent, data={"type": "hook_progress"})
            case "summary":
                return summary(uuid, parent or "nobody")
            case "clearing":
                cleared = {"trigger": "auto", "compactedToolIds": self._calls[-2:]}
                return notice(uuid, parent, "microcompact_boundary", microcompactMetadata=cleared)
            case "side":
                return user(uuid, parent, "do this", isSidechain=True)
            case "meta":
                return user(uuid, parent, "for the model", isMeta=True)
            case "beside":
                return beside("ai-title", aiTitle=f"title {len(self.records)}")
            case "leaf":
                return beside("last-prompt", leafUuid=parent, explicit=self._throw.random() < 0.3)
        return user(uuid, parent)


@st.composite
def transcripts(draw: st.DrawFn, *, plain: bool = False, most: int = 36) -> list[Record]:
    """Records of every kind.

    Args:
        draw: of hypothesis.
        plain: without what moves records: compactions, parallel calls, records that come again.
        most: so many records at most, the first included.
    """
    throw = draw(st.randoms(use_true_random=True))
    writer = Writer(throw, plain=plain)
    # A first record of the main line: else the file would be a subagent's.
    writer.records.append(user("n0", None))
    for _ in range(throw.randrange(1, most)):
        writer.write()
    return writer.records
