"""What the ends of a log tell, and where logs are looked for."""

from pathlib import Path

import pytest

from inspector.formats.listing import HEAD, TAIL, Ends, Glance, Surroundings
from inspector.formats.reina import FORMAT
from tests.formats.reina.sessions import answer, log, session, stamp, user, written


def seen(data: bytes) -> Glance | None:
    whole = len(data) <= HEAD + TAIL
    head, tail = data[:HEAD], data[HEAD:] if whole else data[-TAIL:]
    return FORMAT.glance(Ends("/x.jsonl", len(data), 0, head, tail, whole))


def test_the_ends_of_a_short_log_tell_what_is_on_it(tmp_path: Path) -> None:
    data = log(user("自动纠偏触发：stop"), user("fix the export"), answer())
    tape = session(data, tmp_path)
    found = seen(data)
    assert found is not None
    assert found.id == tape.identity.id
    assert found.started == tape.identity.created
    assert found.title == "fix the export"
    assert (found.events, found.estimated) == (tape.timeline.events, True)
    assert found.last == tape.timeline.table.time(2)
    assert (found.parent, found.relation, found.refusal) == (None, None, None)


def test_of_a_long_log_the_number_of_events_is_an_estimate() -> None:
    data = log(*(user(f"question {at} " + "x" * 80) for at in range(2_000)))
    found = seen(data)
    assert found is not None
    assert found.estimated
    assert found.events is not None
    assert 1_800 < found.events < 2_200
    assert found.title is not None
    assert found.title.startswith("question 0")


def test_a_torn_line_is_no_event_and_a_whole_one_is() -> None:
    data = log(user(), answer())
    torn, whole = seen(data[:-9]), seen(data[:-1])
    assert torn is not None
    assert whole is not None
    assert (torn.events, whole.events) == (1, 2)


def test_without_a_header_it_is_told_that_the_owner_has_no_session() -> None:
    found = seen(written([user()]))
    assert found is not None
    assert found.id is None
    assert found.refusal == "the session is null: there is no session_meta"
    bad = seen(written([{"type": "session_meta", "meta": None}, user()]))
    assert bad is not None
    assert bad.refusal == "the session is null: the first session_meta has no meta"


def test_a_first_line_that_is_longer_than_what_is_seen_tells_its_beginning() -> None:
    line = log(user("x" * (HEAD + TAIL + 5)))
    head = {"type": "session_meta", "ts": stamp(0), "meta": {"id": "ses_a", "model": "y" * 9_000}}
    found = seen(written([head]) + line)
    assert found is not None
    assert found.id == "ses_a"


@pytest.mark.parametrize("data", [b"", b"{}\n", b'{"ts":1}\n', b'{"ts":1,"type":"user"}\n'])
def test_what_is_none_of_its_logs_is_not_told(data: bytes) -> None:
    assert seen(data) is None


def test_logs_lie_below_the_working_folder(tmp_path: Path) -> None:
    found = FORMAT.roots(Surroundings({}, tmp_path, "linux"))
    assert [root.path for root in found] == [tmp_path / ".reina/sessions", tmp_path / ".sessions"]
    assert {root.owner for root in found} == {"reina"}
