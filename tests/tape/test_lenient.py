import pytest

from inspector.tape.lenient import broken_rules, read


def test_what_is_read_stays_as_it_stands() -> None:
    assert read(b'{"a":"\x01\t\xff\\ud800"}') == {"a": "\x01\t\ufffd\ud800"}


def test_each_broken_rule_is_told_once_at_its_first_byte() -> None:
    piece = b'{"NaN":"\xc3\xa9\xff\xfe\x02\x01",\t"a":[-Infinity,NaN]}'
    assert list(broken_rules(piece)) == [
        ("not-utf8", 10, "byte 0xFF is not UTF-8; replaced"),
        ("raw-control", 12, "raw control character 0x02 in a string"),
        ("not-a-number", 22, "-Infinity is no number of JSON"),
    ]


@pytest.mark.parametrize("piece", [b'{\t"a"\r:\t1}', b'{"a":"NaN \\t"}', b'{"a":1e400}', b"{}"])
def test_a_piece_that_breaks_none_has_none(piece: bytes) -> None:
    assert list(broken_rules(piece)) == []


def test_a_control_character_is_found_at_any_depth() -> None:
    piece = b'{"a":' + b"[" * 20_000 + b'"\x1f"' + b"]" * 20_000 + b"}"
    ((_, at, _),) = broken_rules(piece)
    assert at == 20_006
