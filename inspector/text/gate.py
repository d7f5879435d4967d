"""The one cleaning gate: nothing from a tape, a path or an environment is shown without it.

A terminal obeys control bytes, an eye is deceived by bidirectional and invisible characters, and
both come from whoever wrote the tape. The gate makes each of them visible: C0 controls and DEL
become their Unicode control pictures, everything else that cannot be seen becomes ``<U+XXXX>``.
Only variation selectors are dropped, which choose between two pictures of one character.
"""

import re
from typing import Final

_TAB_WIDTH: Final = 4

# Categories Cc, Cf, Cs, Zl and Zp without the line feed, then the letters and marks that draw
# nothing (fillers, variation selectors, tags). A test compares the list with Unicode's.
_HOSTILE_BUT_NEWLINE_CLASS: Final = (
    "\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2"
    "\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff0-\ufffb"
    "\U000110bd\U000110cd\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff"
    "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0"
)
_HOSTILE: Final = re.compile(f"[\x0a{_HOSTILE_BUT_NEWLINE_CLASS}]")
_HOSTILE_BUT_NEWLINE: Final = re.compile(f"[{_HOSTILE_BUT_NEWLINE_CLASS}]")

_VARIATION_SELECTORS: Final = range(0xFE00, 0xFE10)


def _visible(match: re.Match[str]) -> str:
    """What stands for one hostile character."""
    code = ord(match.group())
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if code in _VARIATION_SELECTORS:
        # It only chooses between two pictures of the character before it, and terminals disagree
        # on the width of the result.
        return ""
    if 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    return f"<U+{code:04X}>"


def clean_line(text: str, limit: int | None = None) -> str:
    """Text that is safe on one line.

    Args:
        text: anything.
        limit: characters of ``text`` to look at; more are cut and an ellipsis stands for them. The
            cut comes before the cleaning, so a line of any length costs the same.

    Returns:
        Text without control, bidirectional or invisible characters. Line ends become ``⏎`` and
        tabs a space, so that a field cannot forge a row.
    """
    cut = limit is not None and len(text) > limit
    if cut:
        text = text[:limit]
    if not (text.isascii() and text.isprintable()):
        if "\n" in text or "\r" in text:
            text = text.replace("\r\n", "\n").replace("\n", "⏎").replace("\r", "⏎")
        text = _HOSTILE.sub(_visible, text.replace("\t", " "))
    return f"{text}…" if cut else text


def is_clean_line(text: str) -> bool:
    """Whether a text is safe on one line as it is."""
    return (text.isascii() and text.isprintable()) or _HOSTILE.search(text) is None


def clean_block(text: str) -> str:
    """Text that is safe on several lines: line feeds stay and tabs are expanded."""
    if text.isascii() and text.isprintable():
        return text
    text = text.replace("\r\n", "\n")
    if "\t" in text:
        text = text.expandtabs(_TAB_WIDTH)
    return _HOSTILE_BUT_NEWLINE.sub(_visible, text)


def escape_json(text: str) -> str:
    r"""JSON text in which every character that a terminal or an eye may trip over is ``\\uXXXX``.

    The value stays the same, so scripts read what the tape says and a terminal shows no control.
    """
    if text.isascii() and text.isprintable():
        return text
    return _HOSTILE_BUT_NEWLINE.sub(_json_escape, text)


def _json_escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code <= 0xFFFF:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
