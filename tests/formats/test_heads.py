"""What recognises looks through a damaged line no further than it must."""

from inspector.formats.heads import LONGEST, pieces


def is_ours(value: object) -> bool:
    return isinstance(value, dict) and "ours" in value


def test_whole_records_in_a_damaged_line_are_found() -> None:
    line = b'torn {"ours":1} {"theirs":2} {"ours":3}{"ours'
    assert pieces(line, is_ours) == [{"ours": 1}, {"ours": 3}]


def test_a_long_line_is_looked_through_up_to_a_limit() -> None:
    record = b'{"ours":1}'
    room = LONGEST - len(record)
    assert pieces(b" " * room + record, is_ours) == [{"ours": 1}]
    assert pieces(b" " * (room + 1) + record, is_ours) == []
