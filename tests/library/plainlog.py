"""A format of its own, small enough to see through: what finds sessions is tested with it."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, Final

import orjson

from inspector.formats.contract import Certainty, Options, Recognition, Tape
from inspector.formats.defaults import NoAnnexes, NoContainers, NoDatabases, OptionError
from inspector.formats.listing import Ends, Glance, Root, Surroundings
from inspector.tape.source import Source

OWN_FOLDER: Final = "log.jsonl"
"""What makes a folder a session's."""


class PlainFormat(NoAnnexes, NoContainers, NoDatabases):
    """Lines that say what they are: ``{"plain": id, …}``.

    Attributes:
        seen: the ends that it was shown.
    """

    policies = ("plain",)

    def __init__(self, name: str = "plain", roots: Sequence[Root] = ()) -> None:
        self.name = name
        self.seen: list[Ends] = []
        self._roots = roots

    def recognise(self, head: bytes) -> Recognition:
        sure = head.startswith(b'{"plain":')
        return Recognition(Certainty.SURE if sure else Certainty.NO)

    def open(self, source: Source, options: Options) -> Tape:
        del source, options
        raise OptionError("it cannot be opened")

    def in_folder(self, names: Collection[str]) -> str | None:
        return OWN_FOLDER if OWN_FOLDER in names else None

    def roots(self, surroundings: Surroundings) -> Sequence[Root]:
        del surroundings
        return self._roots

    def glance(self, ends: Ends) -> Glance | None:
        self.seen.append(ends)
        if not ends.head.startswith(b'{"plain":'):
            return None
        said: dict[str, Any] = orjson.loads(ends.head.partition(b"\n")[0])
        return Glance(
            said["plain"],
            title=said.get("title"),
            project=said.get("project"),
            last=said.get("last"),
            parent=said.get("parent"),
            relation=said.get("relation"),
            refusal=said.get("refusal"),
        )


def put(path: Path, name: str = "a", **said: Any) -> Path:
    """Write a session of the format."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(orjson.dumps({"plain": name, **said}) + b"\n")
    return path
