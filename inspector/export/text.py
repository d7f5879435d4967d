"""The same answers as text for people: plain lines, aligned, every word of a tape cleaned."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from inspector.export import kin, lives, pressure, tools, usage
from inspector.export.fitting import fit, width_of
from inspector.export.wording import (
    coverage_words,
    form_words,
    in_order,
    reader_words,
    span_words,
    sums_words,
    surface_words,
    value_words,
    verdict_words,
    visibility_words,
    visible_words,
)
from inspector.formats.contract import EVIDENCE
from inspector.text.gate import clean_line
from inspector.text.labels import count, event_words, plural, token_words, tokens

_WORD = 18
"""Columns of the word for what an event is."""


def table(rows: Iterable[list[str]], right: set[int]) -> Iterator[str]:
    """Rows in columns two spaces apart; the last column is as long as it likes.

    Args:
        rows: cleaned cells.
        right: the columns that align right.
    """
    lines = [list(row) for row in rows]
    widths = [max(map(width_of, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = [
            fit(cell, width, right=at in right)
            for at, (cell, width) in enumerate(zip(line[:-1], widths[:-1], strict=True))
        ]
        yield "  ".join([*cells, line[-1]]).rstrip()


def show(document: dict[str, Any]) -> Iterator[str]:
    """The text of `inspector.export.documents.show`."""
    about = document["tape"]
    head, cursor = about["events"], document["cursor"]
    yield _heading(about)
    yield from _around(document)
    place = f"cursor {count(cursor)}/{count(head)}"
    if not document["settled"]:
        place += " · unsettled: the owner could make no request here"
    if document["reliable_to"] < cursor:
        place += f" · reliable to {count(document['reliable_to'])} only"
    yield place
    yield _verdict(document["verdict"])
    yield ""
    yield from _surface(document)
    yield from _replacements(document["replacements"])
    yield ""
    yield "state:" if document["state"] else "state: nothing set yet"
    for name, setting in in_order(document["state"]).items():
        yield from _setting(name, setting)
    for span in document["open"]:
        name = clean_line(span_words(span["kind"], span["id"]), 80)
        outcome = "" if span["outcome"] == "running" else f", {span['outcome']}"
        yield f"  open: {name}{outcome} since {count(span['since'])}"
    for what in ("last_compaction", "last_overflow_recovery"):
        yield from _ended(document["spans"][what])
    yield from (f"  {line}" for line in lives.lines(document["lives"], about["parent"]))


def _surface(document: dict[str, Any]) -> Iterator[str]:
    """What the model sees, how much that is, and what stands outside it."""
    context, rows = document["context"], document["surface"]
    weight = token_words(context["tokens"])
    guess = " (estimate)" if context["tokens_estimated"] else ""
    yield f"surface: {surface_words(document['messages'], len(rows))}, {weight} of context{guess}"
    spent = usage.words(document["usage"])
    if spent is not None:
        yield f"  usage: {spent}"
    yield f"  window: {pressure.words(document['pressure'])}"
    yield from _evidence(rows)
    for part in document["preamble"]:
        weight = f"{tokens(part['tokens'])} (estimate)"
        held = f": {tools.words(part['names'])}" if "names" in part else ""
        yield f"  preamble: {part['part']} {weight}, event #{part['event']}{held}"
    coverage = document.get("coverage")
    if coverage is not None:
        words = coverage_words(coverage["on_chain"], coverage["records"])
        yield f"  {words}, {visible_words(coverage['visible'], coverage['recovered'])}"
    if not rows:
        yield "  (empty)"
        return
    cells = [
        [
            str(number),
            _number(node),
            node["role"],
            node["kind"],
            tokens(node["tokens"]),
            form_words(node.get("form"), carried=node["carried"], silent=node["silent"])
            + node["preview"],
        ]
        for number, node in enumerate(rows, 1)
    ]
    yield from table([["#", "event", "role", "kind", "tok", "preview"], *cells], right={0, 1, 4})


def _evidence(rows: list[dict[str, Any]]) -> Iterator[str]:
    """On what it rests that these rows were seen."""
    counted = Counter(row["evidence"] for row in rows)
    if counted:
        told = ", ".join(
            grade if len(counted) == 1 else f"{grade} of {plural(counted[grade], 'row')}"
            for grade in EVIDENCE
            if counted[grade]
        )
        yield f"  evidence: {told}"


def _replacements(replacements: list[dict[str, Any]]) -> Iterator[str]:
    """What hid which rows, by the owner's numbers where it has any."""
    for replaced in replacements:
        mark = "@" if replaced["numbered"] else "#"
        hidden = replaced["hidden"]
        span = f" from {mark}{hidden[0]} to {mark}{hidden[-1]}" if hidden else ""
        what = plural(len(hidden), "row") if hidden else "nothing"
        yield f"  {mark}{replaced['event']} hides {what}{span}"


def _ended(span: dict[str, Any] | None) -> Iterator[str]:
    """The last span of a kind, if it ended."""
    if span is not None and span["until"] is not None:
        name = clean_line(span_words(span["kind"], span["id"]), 80)
        outcome = clean_line(span["word"] or span["outcome"], 200)
        yield f"  last {name}: {outcome} ({count(span['since'])} to {count(span['until'])})"


def _heading(about: dict[str, Any]) -> str:
    title = clean_line(str(about["title"] or about["id"] or "untitled"), 120)
    reader = reader_words(about["format"], about["policy"])
    kept = f"{about['format']} {about['variant']}{', ' if reader else ''}{reader}"
    return f"{title}  {kept}  {plural(about['events'], 'event')}"


def _around(document: dict[str, Any]) -> Iterator[str]:
    """How the tape was opened, where it comes from, and what stands beside it."""
    about = document["tape"]
    if about["how"]:
        yield clean_line(about["how"], 300)
    if about["workspace"] or about["archived"]:
        archived = " (archived)" if about["archived"] else ""
        yield f"workspace: {clean_line(about['workspace'] or 'none', 120)}{archived}"
    yield from kin.lines(document["kin"], about["parent"])
    yield from (clean_line(sentence, 300) for sentence in about["beside"])


def _verdict(verdict: dict[str, Any]) -> str:
    return verdict_words(verdict["owner"], verdict["opens"], verdict["reason"])


def _number(row: dict[str, Any]) -> str:
    return event_words(row["event"], row["seq"])


def _setting(name: str, setting: dict[str, Any]) -> Iterator[str]:
    value = setting["value"]
    since = f"since {count(setting['since'])}"
    if isinstance(value, list) and value:
        yield f"  {name} ({since})"
        for item in value:
            words = item.values() if isinstance(item, dict) else [item]
            yield "    " + clean_line(" · ".join(map(value_words, words)), 200)
        return
    said = "nothing" if value == [] else value_words(value)
    yield f"  {name}: {clean_line(said, 200)} ({since})"


def events(documents: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The text of `inspector.export.documents.events`, one row a line, never more in memory."""
    for row in documents:
        seen = visibility_words(row["visibility"], silent=row["silent"])
        visibility = f"{seen}{_hider(row)}"
        yield (
            f"{_number(row):>8}  {fit(row['word'], _WORD)}  {visibility:<18}  {row['preview']}"
        ).rstrip()


def _hider(row: dict[str, Any]) -> str:
    """The event that hid a row, as the rows name theirs; nothing where it is the row's own."""
    if row["by"] in (None, row["event"]):
        return ""
    return f" by {event_words(row['by'], row['by_seq'])}"


_FINDINGS = 200
"""Findings of a code that are told one by one."""


def check(document: dict[str, Any]) -> Iterator[str]:
    """The text of `inspector.export.documents.check`; of many equal findings their number."""
    yield f"{clean_line(document['path'])}"
    yield f"  {_heading(document['tape'])}"
    yield from (f"  {line}" for line in _around(document))
    yield f"  {'; '.join(sums_words(document['sums']))}"
    yield f"  {_verdict(document['verdict'])}"
    if not document["findings"]:
        yield "  nothing found"
    more: dict[str, tuple[int, dict[str, Any]]] = {}
    told: Counter[str] = Counter()
    for finding in document["findings"]:
        code = finding["code"]
        told[code] += 1
        if told[code] > _FINDINGS:
            more[code] = told[code] - _FINDINGS, finding
            continue
        yield f"  {finding['severity']}: {_place(finding)}{finding['message']}"
        yield f"    effect: {finding['effect']}  [{code}]"
    for code, (others, last) in more.items():
        place = _place(last).removesuffix(": ")
        at = f", the last at {place}" if place else ""
        yield f"  {last['severity']}: and {count(others)} more of {code}{at}"


def _place(finding: dict[str, Any]) -> str:
    words = [
        f"{name} {count(finding[name])}"
        for name in ("line", "byte", "event")
        if finding[name] is not None
    ]
    if finding.get("file") is not None:
        words.append(f"file {clean_line(finding['file'], 100)}")
    return f"{', '.join(words)}: " if words else ""
