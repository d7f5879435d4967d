"""Slow and obvious readers of a transcript: every cursor from the start, by the rules alone.

`Reader` is the JavaScript SDK's by the rules page (R2 to R7), `standing` where the writer stood.
Nothing of the program is used.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from tests.formats.claude.transcripts import Record

SPOKEN: Final = ("user", "assistant")
TREE: Final = (*SPOKEN, "system", "attachment", "progress")
SEEN_ORIGINS: Final = (
    *("channel", "observer", "observer-activity"),
    *("slack-ping", "voice-call", "peer"),
)
QUIET: Final = ("", "No response requested.")


def blocks(record: Record, kind: str) -> list[Record]:
    """The blocks of one kind of a message."""
    content = (record.get("message") or {}).get("content")
    found = content if isinstance(content, list) else []
    return [one for one in found if isinstance(one, dict) and one.get("type") == kind]


def message_of(record: Record) -> Any:
    """The id of the message of the API that a line of the assistant is part of."""
    if record["type"] != "assistant":
        return None
    return (record.get("message") or {}).get("id")


def answers(record: Record) -> list[str]:
    """The calls that a result answers."""
    if record["type"] != "user":
        return []
    return [str(one["tool_use_id"]) for one in blocks(record, "tool_result")]


def is_aside(record: Record) -> bool:
    return bool(record.get("isSidechain") or record.get("teamName"))


def attachment(record: Record) -> Any:
    return (record.get("attachment") or {}).get("type")


def of_tree(records: Sequence[Record]) -> list[Record]:
    """The records that count, talk of a call as a message (R1)."""
    found = []
    for one in records:
        if isinstance(one.get("uuid"), str) and one.get("type") in TREE:
            talk = one.get("subtype") == "voice_call_talk"
            if talk and (one.get("origin") or {}).get("kind") == "voice-call":
                said = {"role": "user", "content": one.get("content")}
                found.append({**one, "type": "user", "message": said})
            else:
                found.append(one)
    return found


def parents_of(records: dict[str, Record], boundaries: Sequence[Record]) -> dict[str, str | None]:
    """The parents, once what the boundaries kept is linked anew (R3).

    Raises:
        TypeError: where the owner's reader does.
    """
    parents = {name: one.get("parentUuid") for name, one in records.items()}
    for boundary in boundaries:
        metadata = boundary.get("compactMetadata") or {}
        messages, segment = metadata.get("preservedMessages"), metadata.get("preservedSegment")
        if messages is not None:
            if not isinstance(messages.get("uuids"), list):
                raise TypeError
            kept = messages["uuids"]
            if not kept or any(one not in records for one in kept):
                continue
            anchor, head, tail = messages["anchorUuid"], kept, kept[-1]
        elif segment:
            anchor, tail = segment["anchorUuid"], segment["tailUuid"]
            head = [segment["headUuid"]] if segment["headUuid"] in records else []
        else:
            continue
        moved = [name for name, above in parents.items() if above == anchor and name not in head]
        parents |= dict.fromkeys(moved, tail) | dict(zip(head, [anchor, *head], strict=False))
    return parents


class Reader:
    """What the JavaScript SDK reads of records, were they all of a file."""

    def __init__(self, lines: Sequence[Record]) -> None:
        self.lines = of_tree(lines)
        self.records = {one["uuid"]: one for one in self.lines}
        self.place = {one["uuid"]: at for at, one in enumerate(self.lines)}
        self.first = {name: at for at, name in enumerate(self.records)}
        boundaries = [
            one for one in self.records.values() if one.get("subtype") == "compact_boundary"
        ]
        self.parents = parents_of(self.records, boundaries)

    def up(self, name: str | None) -> Iterator[str]:
        """A record and those above it, as far as there are any, each once."""
        seen: set[str] = set()
        while name is not None and name in self.records and name not in seen:
            seen.add(name)
            yield name
            name = self.parents[name]

    def end(self) -> list[str]:
        """R4: the leaf, and what hangs behind it and carries nothing that was said; oldest first.

        Empty where there is none.
        """
        main = {
            name
            for name, one in self.records.items()
            if not is_aside(one)
            and one["type"] != "progress"
            and not (one["type"] == "attachment" and attachment(one) == "fork_briefing")
        }
        return self._end_of(main) or self._end_of(set(self.records))

    def _end_of(self, some: set[str]) -> list[str]:
        above = {self.parents[name] for name in some}
        for name in sorted(some - above, key=lambda one: self.place[one], reverse=True):
            passed = list[str]()
            for one in self.up(name):
                passed.append(one)
                if self.records[one]["type"] in SPOKEN:
                    return passed[::-1]
        return []

    def chain(self) -> list[str]:
        """R5, oldest first."""
        return [*self.up(next(iter(self.end()), None))][::-1]

    def branch(self) -> list[str]:
        """R6: the chain, with the other lines and results of its messages."""
        chain = self.chain()
        there = set(chain)
        for message in dict.fromkeys(message_of(self.records[name]) for name in chain):
            if message is None:
                continue
            at = max(at for at, one in enumerate(chain) if self._message(one) == message)
            added = self._siblings(message, there, set(chain))
            chain[at + 1 : at + 1] = added
            there |= set(added)
        return chain

    def _message(self, name: str) -> Any:
        return message_of(self.records[name])

    def _siblings(self, message: Any, there: set[str], chain: set[str]) -> list[str]:
        def when(name: str) -> str:
            return str(self.records[name].get("timestamp") or "")

        all_lines = [name for name in self.records if self._message(name) == message]
        lines = sorted((name for name in all_lines if name not in there), key=when)
        hung, tied = list[str](), list[tuple[str, str]]()
        for line in all_lines:
            for name, one in self.records.items():
                if answers(one) and one.get("parentUuid") is not None and name not in there:
                    if self.parents[name] == line:
                        hung.append(name)
                    elif self._is_tied(one, line):
                        tied.append((name, line))
        done = {call for name in (*chain, *hung) for call in answers(self.records[name])}
        for name, line in sorted(tied, key=lambda one: self.first[one[0]]):
            calls = {str(one["id"]) for one in blocks(self.records[line], "tool_use")}
            if name not in hung and calls & set(answers(self.records[name])) - done:
                hung.append(name)
                done |= set(answers(self.records[name]))
        results = list(dict.fromkeys(hung))
        return [*lines, *sorted(results, key=when)]

    def _is_tied(self, result: Record, line: str) -> bool:
        """Whether a result belongs to a line by what it names (R6 b and c)."""
        call = self.records[line]
        if bool(result.get("isSidechain")) != bool(call.get("isSidechain")):
            return False
        if result.get("agentId") != call.get("agentId"):
            return False
        if result.get("sourceToolAssistantUUID") == line:
            return True
        named = set(answers(result)) & {str(one["id"]) for one in blocks(call, "tool_use")}
        return any(len(self._callers(one)) == 1 for one in named)

    def _callers(self, call: str) -> set[Any]:
        return {
            message_of(one)
            for one in self.records.values()
            if any(str(block["id"]) == call for block in blocks(one, "tool_use"))
        }

    def listed(self, *, system: bool = False) -> list[str]:
        """R7: the ids that the reader lists."""
        branch = self.branch()
        behind = self.end()[1:]
        told = list[str]()
        messages = {name for name in branch if self.records[name]["type"] in SPOKEN}
        for at, name in enumerate([*branch, *behind]):
            one = self.records[name]
            queued = attachment(one) == "queued_command"
            if one["type"] == "attachment" and queued and not is_aside(one):
                found = self._queued(one, branch, at, messages | set(told))
                told += [found] if found else []
            elif at < len(branch) and self._is_listed(one, system=system):
                told.append(name)
        return told

    def _queued(self, one: Record, branch: list[str], at: int, there: set[str]) -> str | None:
        details = one["attachment"]
        named = str(details.get("source_uuid") or one["uuid"])
        if details.get("isMeta") or one.get("isMeta") or details.get("forwardedIntent"):
            return None
        if details.get("source_uuid") and named in there:
            return None
        for name in branch[at + 1 :]:
            then = self.records[name]
            if then["type"] in SPOKEN and not is_aside(then):
                return named if then["type"] == "assistant" or answers(then) else None
        return named

    def _is_listed(self, one: Record, *, system: bool) -> bool:
        if one["type"] not in (*SPOKEN, *(("system",) if system else ())) or is_aside(one):
            return False
        if one.get("isMeta") and (one.get("origin") or {}).get("kind") not in SEEN_ORIGINS:
            return False
        content = (one.get("message") or {}).get("content")
        only = content if isinstance(content, list) and len(content) == 1 else [{}]
        quiet = one.get("closesQuietTurn") is True and only[0].get("type") == "text"
        return not (one["type"] == "assistant" and quiet and only[0]["text"].strip() in QUIET)


# Where the writer stood.


def standing(lines: Sequence[Record]) -> tuple[list[str], set[str]]:
    """The rows of the branch that the last writer stood on, and which of them are cleared.

    A record hangs where it says when it is written; what a compaction kept moves under its summary
    as this is written. Lines and results of one message stand in the order of the file. Records
    come after their parents, with ids of their own, and a summary comes right behind its boundary.
    """
    records: dict[str, Record] = {}
    above: dict[str, str | None] = {}
    part: dict[str, Any] = {}
    tail: dict[Any, str] = {}
    last: dict[Any, str] = {}
    kept: list[Record] = []
    waiting: list[Record] = []
    end: str | None = None
    for one in of_tree(lines):
        if is_aside(one):
            continue
        name, spoken = one["uuid"], one["type"] in SPOKEN
        records[name] = one
        if one.get("subtype") == "compact_boundary":
            waiting.append(one)
        if spoken and waiting:
            moved = parents_of(records, [*kept, *waiting])
            for boundary in waiting:
                above |= {of: moved[of] for of in _moved_by(boundary) if of in above}
            kept, waiting = [*kept, *waiting], []
        parent = parents_of(records, kept)[name]
        message = message_of(one)
        if message is None and parent in part:
            if answers(one) and message_of(records[parent]) is not None:
                message = part[parent]
            elif spoken:
                # Behind the whole message, unless it names what came behind it already.
                behind = last[part[parent]]
                order = list(records)
                parent = max(parent, behind, key=order.index)
            else:
                part[name] = part[parent]
                parent, tail[part[name]] = tail[part[name]], name
        if message is not None:
            part[name] = message
            parent = tail.get(message, parent)
            tail[message] = last[message] = name
        above[name] = parent
        if one["type"] != "progress" and (spoken or _is_spoken(parent, records, above)):
            end = _behind(name, records, kept)
    chain = list[str]()
    while end is not None and end in records:
        chain.append(end)
        end = above[end]
    return _rows(chain[::-1], records)


def _behind(name: str, records: dict[str, Record], kept: Sequence[Record]) -> str:
    """Where a record is the end once written: what a compaction kept under it stands behind it."""
    new = {"uuid": "", "parentUuid": name}
    parent = parents_of({**records, "": new}, kept)[""]
    return name if parent is None or parent not in records else parent


def _moved_by(boundary: Record) -> list[str]:
    metadata = boundary.get("compactMetadata") or {}
    messages, segment = metadata.get("preservedMessages"), metadata.get("preservedSegment")
    return messages["uuids"] if messages else [segment["headUuid"]] if segment else []


def _is_spoken(name: str | None, records: dict[str, Record], above: dict[str, str | None]) -> bool:
    while name is not None and name in records:
        if records[name]["type"] in SPOKEN:
            return True
        name = above[name]
    return False


def _rows(chain: list[str], records: dict[str, Record]) -> tuple[list[str], set[str]]:
    rows, cleared = list[str](), set[str]()
    for name in chain:
        one = records[name]
        if one["type"] in (*SPOKEN, "attachment"):
            rows.append(name)
        elif one.get("subtype") == "microcompact_boundary":
            calls = set(one["microcompactMetadata"]["compactedToolIds"])
            cleared |= {row for row in rows if calls & set(answers(records[row]))}
    return rows, cleared
