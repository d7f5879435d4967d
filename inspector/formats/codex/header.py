"""The first ``session_meta`` of a log, or the header of an older one (format page 2.2 and 2.3)."""

from dataclasses import dataclass
from typing import Any, Final

from inspector.formats.codex.times import Clock
from inspector.formats.codex.vocabulary import is_bare
from inspector.formats.shapes import items, mapping, natural, text

_MODES: Final = ("legacy", "paginated")


@dataclass(frozen=True, slots=True)
class Base:
    """The part of another log that stands before this one, up to a record and a byte of it."""

    thread: str
    rollout: str | None
    ordinal: int | None
    byte: int | None


@dataclass(frozen=True, slots=True)
class Header:
    """What a log says of itself; None where it does not.

    Attributes:
        id: of the thread.
        bare: whether it is the header of the older era, and every record an item without a shell.
        created: milliseconds since the epoch.
        cwd: the folder of the session.
        fork: the thread that it was forked from.
        parent: the thread that started it as a subagent.
        instructions: the system prompt.
        tools: what the client brought along besides the owner's own tools.
        origin: the program that wrote it.
        version: of the program.
        source: from where the program was used, or as what kind of subagent.
        provider: of the model.
        branch: of the repository, and the commit.
        mode: how the owner keeps its history.
        base: what stands before it.
        own_from: the number of its first own record; those below are copies of the parent's.
    """

    id: str | None = None
    bare: bool = False
    created: int | None = None
    cwd: str | None = None
    fork: str | None = None
    parent: str | None = None
    instructions: str = ""
    tools: tuple[Any, ...] = ()
    origin: str | None = None
    version: str | None = None
    source: str | None = None
    provider: str | None = None
    branch: str | None = None
    mode: str | None = None
    base: Base | None = None
    own_from: int | None = None

    @property
    def origin_thread(self) -> str | None:
        """The other thread that this one comes from, or None."""
        base = None if self.base is None or self.base.thread == self.id else self.base.thread
        return self.fork or self.parent or base

    @property
    def mode_problem(self) -> str | None:
        """Why the owner refuses the history mode, or None (format page 2.11)."""
        if self.mode is None or self.mode in _MODES:
            return None
        return f"unknown history mode {self.mode[:80]}"


def is_meta(record: Any) -> bool:
    """Whether a record is a ``session_meta``."""
    return (
        isinstance(record, dict)
        and record.get("type") == "session_meta"
        and isinstance(record.get("payload"), dict)
    )


def of_record(record: dict[str, Any]) -> Header:
    """The header that a record is."""
    bare = is_bare(record)
    meta = record if bare else mapping(record.get("payload"))
    stamp = text(meta.get("timestamp")) or text(record.get("timestamp"))
    instructions = meta.get("base_instructions")
    prompt = text(mapping(instructions).get("text")) or text(instructions)
    source = meta.get("source")
    git = mapping(meta.get("git"))
    own_from = natural(meta.get("subagent_history_start_ordinal"))
    return Header(
        id=text(meta.get("id")) or None,
        bare=bare,
        created=Clock().read(stamp),
        cwd=text(meta.get("cwd")) or None,
        fork=text(meta.get("forked_from_id")) or None,
        parent=spawned_by(meta),
        instructions=prompt or text(meta.get("instructions")),
        tools=tuple(items(meta.get("dynamic_tools"))),
        origin=text(meta.get("originator")) or None,
        version=text(meta.get("cli_version")) or None,
        source=_source(source),
        provider=text(meta.get("model_provider")) or None,
        branch=" ".join(filter(None, (text(git.get("branch")), text(git.get("commit_hash"))[:12])))
        or None,
        mode=meta["history_mode"] if isinstance(meta.get("history_mode"), str) else None,
        base=_base(mapping(meta.get("history_base"))),
        own_from=own_from,
    )


def spawned_by(meta: dict[str, Any]) -> str | None:
    """The thread that started this one as a subagent, by what a log says of itself."""
    told = text(meta.get("parent_thread_id"))
    if told:
        return told
    spawn = mapping(mapping(mapping(meta.get("source")).get("subagent")).get("thread_spawn"))
    return text(spawn.get("parent_thread_id")) or None


def _source(source: Any) -> str | None:
    """From where it was used, in words: ``cli``, ``subagent explorer (Sartre)``."""
    if isinstance(source, str):
        return source or None
    subagent = mapping(source).get("subagent")
    if subagent is None:
        return None
    if isinstance(subagent, str):
        return f"subagent {subagent}"
    spawn = mapping(mapping(subagent).get("thread_spawn"))
    nickname = text(spawn.get("agent_nickname"))
    words = (
        "subagent",
        text(spawn.get("agent_role")) or text(mapping(subagent).get("other")),
        f"({nickname})" if nickname else "",
    )
    return " ".join(word for word in words if word)


def _base(base: dict[str, Any]) -> Base | None:
    thread = text(base.get("thread_id"))
    if not thread:
        return None
    return Base(
        thread,
        text(base.get("rollout_id")) or None,
        natural(base.get("end_ordinal_exclusive")),
        natural(base.get("end_byte_offset")),
    )
