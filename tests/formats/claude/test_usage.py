"""Usage: every line of a message repeats it, and the output grows."""

from pathlib import Path

from tests.formats.claude.transcripts import answer, folded, user


def used(output: int) -> dict[str, int]:
    return {"input_tokens": 10, "cache_read_input_tokens": 100, "output_tokens": output}


def test_a_message_counts_once_with_its_largest_output(tmp_path: Path) -> None:
    records = [
        user("u1", None),
        answer("a1", "u1", of="m", usage=used(5)),
        answer("a2", "a1", of="m", usage=used(80)),
        answer("a3", "a2", of="m", usage=used(80)),
    ]
    usage = folded(tmp_path, records).timeline.usage
    totals = [usage.total(cursor) for cursor in range(5)]
    assert [total.output for total in totals] == [0, 0, 5, 80, 80]
    assert [total.input for total in totals] == [0, 0, 10, 10, 10]
    assert len(list(usage.requests(4))) == 1


def test_what_the_owner_wrote_itself_was_no_request(tmp_path: Path) -> None:
    records = [
        user("u1", None),
        answer("a1", "u1", usage=used(5), model="<synthetic>"),
    ]
    assert folded(tmp_path, records).timeline.usage.total(2).output == 0
