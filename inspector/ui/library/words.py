"""The short words of a session's row: when, how many events, what kin, what verdict. Knows no
Textual.
"""

from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Final, NamedTuple

from inspector.export.fitting import width_of
from inspector.library.row import Row
from inspector.text.gate import clean_line
from inspector.text.labels import count, plural, tokens

_MINUTE: Final = 60_000
_HOUR: Final = 60 * _MINUTE
_WEEK: Final = 7
_EXACT: Final = 1_000_000
"""Events from which a column shows no single ones."""

_WEEKDAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS: Final = (
    *("Jan", "Feb", "Mar", "Apr", "May", "Jun"),
    *("Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)

_RELATIONS: Final = {"parent": "child", "side": "side session"}
"""What a session is of its parent, where the relation is no word for it."""


_BRIEF: Final = {"side session": "side"}
"""The same where there is little room."""


class Standpoint(NamedTuple):
    """From where the library is looked at.

    Attributes:
        now: milliseconds since the epoch.
        zone: of the times shown; None is the machine's own.
        home: the person's folder, which stands as ``~``; None where there is none.
    """

    now: int
    zone: tzinfo | None = UTC
    home: Path | None = None


def moment(milliseconds: int | None, zone: tzinfo | None) -> datetime | None:
    """A time as a date in a zone; None where it is none."""
    if milliseconds is None:
        return None
    try:
        return datetime.fromtimestamp(milliseconds / 1000, zone)
    except (OverflowError, ValueError, OSError):
        return None


def ago(milliseconds: int | None, at: Standpoint) -> str:
    """When something was, in few words: ``5 min``, ``14:05``, ``yesterday 14:05``, ``Mon 14:05``,
    ``12 Mar``, ``12 Mar 2024``; empty where it is not known.
    """
    then, today = moment(milliseconds, at.zone), moment(at.now, at.zone)
    if milliseconds is None or then is None or today is None:
        return ""
    passed = at.now - milliseconds
    time = f"{then.hour:02d}:{then.minute:02d}"
    days = (today.date() - then.date()).days
    if 0 <= passed < _MINUTE:
        return "just now"
    if 0 <= passed < _HOUR:
        return f"{passed // _MINUTE} min"
    if days == 0:
        return time
    if days == 1:
        return f"yesterday {time}"
    if 0 < days < _WEEK:
        return f"{_WEEKDAYS[then.weekday()]} {time}"
    date = f"{then.day} {_MONTHS[then.month - 1]}"
    # What is to come is a clock that is wrong: the year says most of that.
    return date if days > 0 and then.year == today.year else f"{date} {then.year}"


def dated(milliseconds: int | None, zone: tzinfo | None) -> str:
    """A time in full, ``2026-11-29 14:05:31``; empty where it is not known."""
    then = moment(milliseconds, zone)
    return "" if then is None else then.strftime("%Y-%m-%d %H:%M:%S").rjust(19, "0")


def event_count(events: int | None, estimated: bool) -> str:
    """How many events, as a column says it: ``1,204``, ``~1.2k`` where that is an estimate."""
    if events is None:
        return ""
    if not estimated:
        return count(events) if events < _EXACT else tokens(events)
    return f"~{events if events < 1000 else tokens(events)}"


def events_in_words(row: Row) -> str:
    """How many events, in a sentence's words; empty where it is not known."""
    if row.events is None:
        return ""
    about = "about " if row.estimated else ""
    return f"{about}{plural(row.events, 'event')}"


def relation_word(row: Row) -> str:
    """What a session is of its parent: fork, subagent; empty where it has none."""
    if row.parent is None and row.relation is None:
        return ""
    relation = clean_line(row.relation or "child", 30)
    return _RELATIONS.get(relation, relation)


def kin_words(row: Row, children: int, width: int) -> str:
    """The family of a session, as a column of this width says it: ``↳ fork``, ``3 children``; in
    words always, of which the last is cut where there is no room.
    """
    word = relation_word(row)
    more = f" +{count(children)}" if children else ""
    if not word:
        down = plural(children, "child", "children") if children else ""
        return down if width >= width_of(down) else f"{count(children)} below"
    brief = _BRIEF.get(word, word)
    told = (f"↳ {word}{more}", f"↳ {brief}{more}", f"{brief}{more}")
    return next((words for words in told if width >= width_of(words)), told[-1])


def verdict_word(row: Row) -> tuple[str, str]:
    """What would become of a session, and its tone: ``unreadable: …``, ``refused: …``, ``opens``;
    empty where nobody knows.
    """
    if row.problem is not None:
        return f"unreadable: {clean_line(row.problem, 300)}", "error"
    if row.opens is False:
        why = f": {clean_line(row.reason, 300)}" if row.reason else ""
        return f"refused{why}", "notice"
    if row.reason:
        why = clean_line(row.reason, 300)
        return f"opens, {why}" if row.opens else why, "notice"
    return ("opens", "faint") if row.opens else ("", "faint")


def agent(row: Row) -> str:
    """Which agent wrote a session; empty where nobody knows."""
    return clean_line(row.format, 40) if row.format else ""


def path_words(path: Path, at: Standpoint) -> str:
    """A path as a person writes it, cleaned."""
    text = str(path)
    home = None if at.home is None else str(at.home)
    if home is not None and home != "/" and (text == home or text.startswith(f"{home}/")):
        text = f"~{text[len(home) :]}"
    return clean_line(text, 1000)


def project_words(project: str | None, at: Standpoint) -> str:
    """The folder of a project as a person writes it; empty where it is not known."""
    return path_words(Path(project), at) if project else ""
