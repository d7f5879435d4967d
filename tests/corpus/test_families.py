"""Families of the shared tapes and cases, beside what their owners say of lineage."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.library.family import Family
from inspector.tape.source import SourceError
from tests.corpus.corpus import ROOT, needs_corpus
from tests.library.families import branch, counts, family, shape

pytestmark = needs_corpus

ZERO = ROOT / "tapes" / "zero"
MAIN = "zero_20260822090000_main_1"
A, B, C = (
    f"{letter * 8}-0000-4000-8000-00000000000{digit}"
    for letter, digit in (("a", 1), ("b", 2), ("c", 3))
)
D = "dddddddd-0000-4000-8000-000000000004"


def expected(name: str) -> Any:
    return json.loads((ZERO / "expected" / f"{name}.json").read_bytes())


def of_zero(name: str) -> Family:
    return family(ZERO / "sessions" / name)


@pytest.mark.parametrize("name", [A, B, C])
def test_case_21_a_resume_copy_and_a_fork_of_one_origin(name: str) -> None:
    found = family(ROOT / "cases" / "case-21" / f"{name}.jsonl")
    assert shape(found) == [(0, A, None), (1, B, "resume"), (1, C, "fork")]
    assert counts(found, A) == (0, 4, None)
    assert counts(found, B) == counts(found, C) == (4, 2, 4)


@pytest.mark.parametrize("name", [f"{D}.jsonl", f"{D}/subagents/agent-zz.jsonl"])
def test_case_34_subagents_with_and_without_a_known_call(name: str) -> None:
    found = family(ROOT / "cases" / "case-34" / name)
    assert set(shape(found)) == {
        (0, D, None),
        (1, "agent-x1", "subagent"),
        (1, "agent-zz", "subagent"),
    }
    # The call that started the one is known; nobody tells which started the other.
    assert counts(found, "agent-x1") == (0, 5, 2)
    assert counts(found, "agent-zz") == (0, 2, None)


def test_case_33_titles_of_other_sessions_make_no_relatives_of_them() -> None:
    found = family(ROOT / "cases" / "case-33" / "input.jsonl")
    assert [one.depth for one in found.branches] == [0]


def test_zero_lineage_is_that_of_the_owner() -> None:
    owners = [one["sessionId"] for one in expected("C_lineage")]
    found = of_zero(owners[-1])
    assert [one.member.id for one in found.branches[: len(owners)]] == owners
    assert counts(found, owners[-1]) == (27, 1, 27)


def test_zero_children_are_those_that_the_owner_lists_and_what_it_leaves_out() -> None:
    tree = expected("A_tree")
    found = of_zero(MAIN)
    relations = {one.member.id: one.relation for one in found.branches}
    for child in tree["children"]:
        assert relations.pop(child["session"]["sessionId"]) == "subagent"
    # Its tree follows nothing but children.
    assert relations == {
        MAIN: None,
        "zero_20260822092100_fork_of_A_4": "fork",
        "zero_20260822092200_side_5": "side",
        "zero_20260822090712_1787389632000000000_84": "spec",
    }
    assert counts(found, "zero_20260822092100_fork_of_A_4") == (22, 1, 23)
    assert [one["session"]["sessionId"] for one in tree["children"]] == [
        one.member.id for one in found.branches if one.relation == "subagent"
    ]


def test_deepchat_subagents_in_one_database() -> None:
    for session in ("sess_main", "sess_child"):
        found = family(ROOT / "tapes" / "deepchat" / "agent.db", session)
        assert (1, "sess_child", "subagent") in shape(found)
        assert branch(found, "sess_child").boundary == 37


def test_dsh_a_fork_and_its_parent_which_a_database_beside_them_holds_as_well() -> None:
    folder = ROOT / "tapes" / "dsh" / "handmade"
    for name in ("fork-child", "fork-parent"):
        found = family(folder / f"{name}.session.jsonl")
        assert sorted(shape(found)) == [
            (0, "hm-fork-parent", None),
            (1, "hm-fork-child", "fork"),
            (1, "hm-fork-parent", "same session"),
            (2, "hm-fork-child", "same session"),
        ]
        assert found.branches[found.here].member.path == folder / f"{name}.session.jsonl"
        (fork,) = (one for one in found.branches if one.relation == "fork")
        assert (fork.member.copied, fork.boundary) == (31, 31)


@pytest.mark.parametrize(
    ("name", "parent", "away"),
    [
        ("codexbar_archived-fork-33ce-3869__child", "parent-session", False),
        ("codexbar_missing-parent-siblings__sibling-a", "missing-parent-session", True),
    ],
)
def test_codex_forks_whose_parent_is_there_or_is_not(name: str, parent: str, away: bool) -> None:
    found = family(ROOT / "tapes" / "codex" / f"{name}.jsonl")
    assert found.branches[0].member.id == parent
    assert found.branches[0].member.missing is away
    assert found.branches[found.here].relation == "fork"
    if away:
        siblings = {one.member.id for one in found.branches[1:]}
        assert siblings == {"sibling-a-session", "sibling-b-session"}


def test_every_session_of_the_corpus_has_a_family(tmp_path: Path) -> None:
    for path in sorted((ROOT / "cases").glob("case-*/*.jsonl")):
        try:
            found = family(path, home=tmp_path)
        except SourceError:
            # What is no tape at all is refused as everywhere.
            continue
        assert found.branches[found.here].member.path == path
