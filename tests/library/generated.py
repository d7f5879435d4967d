"""A person's folder with sessions of every agent in it, as many as wanted, made of the samples.

Each session is one that a format's own sample has, under an id, a project, a day and a title of its
own. Agents that have no sample are written in their plainest form.
"""

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final
from uuid import UUID

from inspector.tape.zstd_writing import frame

SAMPLES: Final = Path(__file__).parents[2] / "sample_tapes"

_FIRST_DAY: Final = datetime(2026, 1, 5, 9, 0, 0, tzinfo=UTC)
_PROJECTS: Final = 12
_A_DAY: Final = 9
_IN_A_FRAME: Final = 24
_TREES: Final = ("plum", "quince", "medlar", "cherry", "pear", "apple", "fig", "walnut")


class Session:
    """What tells a session from the others; the same number makes the same."""

    def __init__(self, number: int, agent: int) -> None:
        self.number = number
        self.uuid = str(UUID(int=(agent + 1) << 96 | 4 << 76 | 8 << 60 | number))
        self.began = _FIRST_DAY + timedelta(days=number // _A_DAY, minutes=37 * (number % _A_DAY))
        self.project = f"/work/{_TREES[number % len(_TREES)]}-{number % _PROJECTS}"
        self.title = f"Prune the {_TREES[number % 7]} in row {number}"

    @property
    def slug(self) -> str:
        """The project as a name of a folder."""
        return self.project.replace("/", "-")

    @property
    def day(self) -> str:
        """The date on which it began."""
        return f"{self.began:%Y-%m-%d}"


def write(home: Path, sessions: int) -> dict[str, int]:
    """Write so many sessions into a person's folder, of each agent about as many.

    Returns:
        How many there are of each format.
    """
    made = dict.fromkeys(WRITERS, sessions // len(WRITERS))
    made["dsh"] += sessions - sum(made.values())
    for agent, (name, number) in enumerate(made.items()):
        WRITERS[name](home, [Session(at, agent) for at in range(number)])
    return made


def surroundings(home: Path) -> dict[str, str]:
    """The environment in which the agents keep what is written so."""
    return {"HOME": str(home)}


def _put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def _sample(name: str, **words: str) -> Callable[[dict[str, str]], bytes]:
    """Makes a sample anew, with other texts for the words that it has, by what they are."""
    data = (SAMPLES / name).read_bytes()

    def made(others: dict[str, str]) -> bytes:
        found = data
        for what, other in others.items():
            found = found.replace(words[what].encode(), other.encode())
        return found

    return made


def _dsh(home: Path, sessions: list[Session]) -> None:
    """Compressed logs as the owner writes them, and some that are not."""
    sample = _sample(
        "compaction.jsonl",
        id='"id":"sample-compaction"',
        cwd='"cwd":"/srv/signpost"',
        title="Which modules import signpost.clock?",
        day="17724420",
    )
    for one in sessions:
        # The first digits of a time in milliseconds: it goes on by the day.
        day = str(int(one.began.timestamp()) // 100)
        data = sample(
            {
                "id": f'"id":"{one.uuid}"',
                "cwd": f'"cwd":"{one.project}"',
                "title": one.title,
                "day": day,
            }
        )
        folder = home / ".dsh" / "sessions" / f"-{one.slug}--" / one.uuid
        if one.number % 4 == 0:
            _put(folder / "session.jsonl", data)
        else:
            _put(folder / "session.jsonl.zstd", b"".join(_frames(data)))


def _frames(data: bytes) -> Iterator[bytes]:
    """The header in a frame of its own, then batches of lines."""
    lines = data.splitlines(keepends=True)
    yield frame(lines[0])
    for start in range(1, len(lines), _IN_A_FRAME):
        yield frame(b"".join(lines[start : start + _IN_A_FRAME]))


def _claude(home: Path, sessions: list[Session]) -> None:
    """Transcripts in the folders of their projects; every tenth is that of a subagent."""
    folder = SAMPLES / "claude"
    name = next(folder.glob("*.jsonl")).stem
    agent = next((folder / name / "subagents").glob("*.jsonl"))
    line = _sample(f"claude/{name}.jsonl", id=name, cwd="/work/lighthouse", day="2026-06-08")
    side = _sample(
        str(agent.relative_to(SAMPLES)), id=name, cwd="/work/lighthouse", day="2026-06-08"
    )
    above = sessions[0] if sessions else None
    for one in sessions:
        words = {"id": one.uuid, "cwd": one.project, "day": one.day}
        projects = home / ".claude" / "projects"
        if one.number % 10 == 9 and above is not None:
            beside = projects / above.slug / above.uuid / "subagents"
            words |= {"id": above.uuid}
            _put(beside / f"agent-{one.number:x}.jsonl", side(words))
            _put(beside / f"agent-{one.number:x}.meta.json", b'{"agentType":"Explore"}')
            continue
        above = one
        _put(projects / one.slug / f"{one.uuid}.jsonl", line(words))


def _codex(home: Path, sessions: list[Session]) -> None:
    """Rollouts by their days."""
    path = min((SAMPLES / "codex").glob("*.jsonl"))
    sample = _sample(
        str(path.relative_to(SAMPLES)), id=path.stem[-36:], cwd="/work/bakery", day="2026-05-04"
    )
    for one in sessions:
        data = sample({"id": one.uuid, "cwd": one.project, "day": one.day})
        folder = home / ".codex" / "sessions" / f"{one.began:%Y}" / f"{one.began:%m/%d}"
        _put(folder / f"rollout-{one.began:%Y-%m-%dT%H-%M-%S}-{one.uuid}.jsonl", data)


def _zero(home: Path, sessions: list[Session]) -> None:
    """Folders of events and what is said of them."""
    log = SAMPLES / "zero" / "lantern" / "events.jsonl"
    name = json.loads((log.parent / "metadata.json").read_bytes())["sessionId"]
    events, about = (
        _sample(f"zero/lantern/{file}", id=name, cwd="/work/lantern", day="2026-06-22")
        for file in ("events.jsonl", "metadata.json")
    )
    for one in sessions:
        identity = f"zero_{one.began:%Y%m%d%H%M%S}_{one.number:019d}_{one.number % 9}"
        words = {"id": identity, "cwd": one.project, "day": one.day}
        folder = home / ".local" / "share" / "zero" / "sessions" / identity
        _put(folder / "events.jsonl", events(words))
        _put(folder / "metadata.json", about(words))


def _deepchat(home: Path, sessions: list[Session]) -> None:
    """One database, in which a session of the sample is told again and again."""
    path = home / ".config" / "DeepChat" / "app_db" / "agent.db"
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(SAMPLES / "deepchat.db", path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("BEGIN")
        tables = {
            "new_sessions": "id",
            "deepchat_sessions": "id",
            "deepchat_tape_entries": "session_id",
        }
        kept = {
            table: connection.execute(
                f"SELECT * FROM {table} WHERE {key} = 'sample-frost'"  # noqa: S608
            ).fetchall()
            for table, key in tables.items()
        }
        names = {
            table: [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            for table in tables
        }
        connection.execute("DELETE FROM deepchat_messages")
        for table in tables:
            connection.execute(f"DELETE FROM {table}")  # noqa: S608
        for one in sessions:
            time = int(one.began.timestamp() * 1000)
            told = {
                "id": one.uuid,
                "session_id": one.uuid,
                "title": one.title,
                "project_dir": one.project,
                "parent_session_id": None,
                "session_kind": "regular",
                "created_at": time,
                "updated_at": time,
            }
            for table, rows in kept.items():
                marks = ", ".join("?" * len(names[table]))
                connection.executemany(
                    f"INSERT INTO {table} VALUES ({marks})",  # noqa: S608
                    [
                        [
                            told.get(name, value)
                            for name, value in zip(names[table], row, strict=True)
                        ]
                        for row in rows
                    ],
                )
        connection.execute("COMMIT")


def _pi(home: Path, sessions: list[Session]) -> None:
    """Sessions in the folders of their projects: a header, a question, a call and an answer."""
    for one in sessions:
        lines = [
            {
                "type": "session",
                "version": 3,
                "id": one.uuid,
                "timestamp": _iso(one.began),
                "cwd": one.project,
            }
        ]
        parent = None
        for at in range(24):
            said = f"{one.title}, step {at}. " + "The knife is kept in the shed. " * 8
            message: dict[str, object] = {
                "role": "assistant" if at % 2 else "user",
                "content": [{"type": "text", "text": said}],
                "timestamp": int((one.began + timedelta(seconds=at)).timestamp() * 1000),
            }
            if at % 2:
                message |= {"provider": "garden", "model": "plum-2", "stopReason": "stop"}
            entry = {
                "type": "message",
                "id": f"{at:08x}",
                "parentId": parent,
                "timestamp": _iso(one.began + timedelta(seconds=at)),
                "message": message,
            }
            parent = f"{at:08x}"
            lines.append(entry)
        folder = home / ".pi" / "agent" / "sessions" / f"-{one.slug}--"
        name = _iso(one.began).replace(":", "-").replace(".", "-")
        _put(folder / f"{name}_{one.uuid}.jsonl", _lines(lines))


def _reina(home: Path, sessions: list[Session]) -> None:
    """Sessions in the working folder: a header, and messages in turn."""
    for one in sessions:
        identity = f"ses_{one.number:06x}_{one.number % 9973:04d}"
        meta = {"id": identity, "model": "plum-2", "createdAt": _iso(one.began)}
        lines: list[dict[str, object]] = [
            {"ts": _iso(one.began), "type": "session_meta", "meta": meta}
        ]
        for at in range(30):
            message = {
                "role": "assistant" if at % 2 else "user",
                "content": f"{one.title}, step {at}. " + "The ladder is at the wall. " * 8,
            }
            time = _iso(one.began + timedelta(seconds=at))
            lines.append({"ts": time, "type": "message", "message": message})
        _put(home / ".reina" / "sessions" / f"{identity}.jsonl", _lines(lines))


def _iso(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%S}.000Z"


def _lines(records: list[dict[str, object]]) -> bytes:
    return b"".join(
        json.dumps(record, separators=(",", ":")).encode() + b"\n" for record in records
    )


WRITERS: Final[dict[str, Callable[[Path, list[Session]], None]]] = {
    "dsh": _dsh,
    "claude": _claude,
    "codex": _codex,
    "deepchat": _deepchat,
    "zero": _zero,
    "pi": _pi,
    "reina": _reina,
}
"""By format, what writes its sessions; a test holds them against the formats that there are."""
