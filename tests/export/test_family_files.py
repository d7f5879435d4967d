"""Members of a family that claim the same id are told apart by the names of their files."""

from pathlib import Path

from inspector.export import family as told
from inspector.library.family import Branch, Family
from inspector.library.members import Member


def branch(name: str, identity: str, above: int | None) -> Branch:
    member = Member(identity, Path("/sessions") / name)
    relation = None if above is None else "fork"
    return Branch(member, int(above is not None), above, True, relation, None, None, ())


def test_files_are_named_where_several_have_one_id() -> None:
    members = [("one.jsonl", "a", None), ("two.jsonl", "b", 0), ("three.jsonl", "b", 0)]
    family = Family(tuple(branch(*one) for one in members), 0)
    assert told.files(family) == {1: "two.jsonl", 2: "three.jsonl"}
    lines = list(told.text(family))
    assert sum("two.jsonl" in line for line in lines) == 1
    assert not any("one.jsonl" in line for line in lines)
