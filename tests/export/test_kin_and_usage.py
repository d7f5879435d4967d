"""Where a tape comes from, what belongs to it, and what its requests cost: documents and words."""

from pathlib import Path
from typing import Any

from inspector.export import documents, kin, text, usage
from inspector.formats.contract import Options, Tape
from inspector.formats.opening import open_tape
from tests.dsh_tapes import HEADER, Log, folded
from tests.folding import fold_on

NONE = {
    "requests": 0,
    "aside": 0,
    "input": 0,
    "cache_read": 0,
    "cache_write": 0,
    "output": 0,
}


def fork(folder: Path) -> Tape:
    """A fork of a tape that named a subagent's."""
    log = Log(HEADER | {"parentSession": "p\x1b[31m", "seedLength": 2})
    log.user()
    log.user()
    log.event("session/end-seed", {})
    return folded(log, folder)


def one(relation: str, tape: str, boundary: int | None = None) -> dict[str, Any]:
    return {"relation": relation, "tape": tape, "boundary": boundary}


def test_show_and_check_name_the_parent_and_what_the_tape_is_of_it(tmp_path: Path) -> None:
    tape = fork(tmp_path)
    assert documents.show(tape, 1)["kin"] == [one("fork", "p\x1b[31m", 2)]
    document = documents.check(tape)
    assert document["kin"] == [one("fork", "p\x1b[31m", 2)]
    line = "fork of p␛[31m, sharing 2 events"
    assert line in list(text.show(documents.show(tape, 1)))
    assert f"  {line}" in list(text.check(document))


def test_a_tape_without_kin_says_nothing_of_any(tmp_path: Path) -> None:
    tape = folded(Log(), tmp_path)
    assert documents.show(tape, 0)["kin"] == []
    assert list(kin.lines([], None)) == []


def test_the_parent_stands_first_and_the_others_are_not_called_its_own_source() -> None:
    found = [one("merged fork", "m", 3), one("subagent", "c"), one("side", "p", 1)]
    assert list(kin.lines(found, "p")) == [
        "side session of p, sharing 1 event",
        "merged fork m, of 3 events",
        "subagent c",
    ]
    assert list(kin.lines([one("parent", "p")], "p")) == ["child of p"]


def test_no_more_kin_are_told_than_one_reads() -> None:
    found = [one("subagent", str(at)) for at in range(10)]
    said = list(kin.lines(found, None))
    assert len(said) == 9
    assert said[-1] == "and 2 more tapes that it names"


def test_usage_is_own_and_inherited_and_both_stand_in_the_text() -> None:
    own = NONE | {"requests": 2, "aside": 1, "input": 100, "cache_read": 200, "output": 30}
    copied = NONE | {"requests": 1, "input": 1_000, "cache_write": 50, "output": 7}
    assert usage.words({"own": own, "inherited": copied}) == (
        "2 requests (1 aside), sent 300 (200 from the cache), received 30; "
        "inherited: 1 request, sent 1,050 (50 into it), received 7"
    )
    assert usage.words({"own": NONE, "inherited": copied}) == (
        "none of its own; inherited: 1 request, sent 1,050 (50 into it), received 7"
    )
    assert usage.words({"own": NONE, "inherited": NONE}) is None


def test_a_tape_in_which_nobody_reported_anything_has_no_line_of_usage(tmp_path: Path) -> None:
    document = documents.show(folded(Log(), tmp_path), 0)
    assert document["usage"] == {"own": NONE, "inherited": NONE}
    assert not any("usage:" in line for line in text.show(document))


def test_the_sample_of_a_fork_tells_both() -> None:
    samples = Path(__file__).parents[2] / "sample_tapes" / "codex"
    path = next(samples.rglob("*b2.jsonl"))
    tape = open_tape(path, Options())
    fold_on(tape)
    shown = documents.show(tape, tape.timeline.events)
    tape.close()
    assert shown["kin"][0]["relation"] == "fork"
    assert shown["kin"][0]["boundary"] == shown["tape"]["inherited"] == 16
    assert (shown["usage"]["own"]["requests"], shown["usage"]["inherited"]["requests"]) == (1, 2)
    assert (
        "  usage: 1 request, sent 4,500 (4,000 from the cache), received 25; inherited: "
        "2 requests, sent 8,400 (4,000 from the cache), received 120"
    ) in list(text.show(shown))
