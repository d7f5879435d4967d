"""Which lines each reader takes."""

import pytest

from inspector.formats.claude.strictness import takes


@pytest.mark.parametrize(
    ("line", "js", "py"),
    [
        (b'{"a": 1}', True, True),
        (b' \t{"a": 1}\r', True, True),
        (b'\0\0{"a": 1}', True, False),
        (b'\xef\xbb\xbf{"a": 1}', False, False),
        (b'{"a": NaN}', False, True),
        (b'{"a": "\xff"}', True, True),
        (b'{"a": 1}{"b": 2}', False, False),
        (b'{"a": "\x01"}', False, False),
        (b"[1]", False, False),
        (b'{"a": ', False, False),
    ],
)
def test_a_line_is_taken_or_not(line: bytes, js: bool, py: bool) -> None:
    assert (takes("sdk-js", line), takes("sdk-py", line)) == (js, py)
