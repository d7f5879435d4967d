"""The same answers as text for people: plain lines, aligned, every word of a tape cleaned."""

from collections.abc import Iterable, Iterator
from typing import Any

from rich.cells import cell_len, set_cell_size

from inspector.text.gate import clean_line
from inspector.text.labels import count, plural, tokens


def table(rows: Iterable[list[str]], right: set[int]) -> Iterator[str]:
    """Rows in columns two spaces apart; the last column is as long as it likes.

    Args:
        rows: cleaned cells.
        right: the columns that align right.
    """
    lines = [list(row) for row in rows]
    widths = [max(map(cell_len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = [
            " " * (width - cell_len(cell)) + cell if at in right else set_cell_size(cell, width)
            for at, (cell, width) in enumerate(zip(line[:-1], widths[:-1], strict=True))
        ]
        yield "  ".join([*cells, line[-1]]).rstrip()


def show(document: dict[str, Any]) -> Iterator[str]:
    """The text of `inspector.export.documents.show`."""
    about = document["tape"]
    head, cursor = about["events"], document["cursor"]
    yield _heading(about)
    place = f"cursor {count(cursor)}/{count(head)}"
    if not document["settled"]:
        place += " · unsettled: one write of the owner is half done here"
    if document["reliable_to"] < cursor:
        place += f" · reliable to {count(document['reliable_to'])} only"
    yield place
    yield from _verdict(document["verdict"])
    yield ""
    context = document["context"]
    about_tokens = f"{tokens(context['tokens'])} tokens of context"
    if context["tokens_estimated"]:
        about_tokens += " (estimate)"
    yield f"surface: {plural(document['messages'], 'message')}, {about_tokens}"
    for part in document["preamble"]:
        weight = f"{tokens(part['tokens'])} (estimate)"
        yield f"  preamble: {part['part']} {weight}, event #{part['event']}"
    rows = [
        [
            str(number),
            _number(node),
            node["role"],
            node["kind"],
            tokens(node["tokens"]),
            node["preview"],
        ]
        for number, node in enumerate(document["surface"], 1)
    ]
    if rows:
        yield from table([["#", "event", "role", "kind", "tok", "preview"], *rows], right={0, 1, 4})
    else:
        yield "  (empty)"
    for replaced in document["replacements"]:
        yield (
            f"@{replaced['event']} hides {plural(len(replaced['hidden']), 'row')} "
            f"from @{replaced['start']} to @{replaced['end']}"
        )
    yield ""
    yield "state:" if document["state"] else "state: nothing set yet"
    for name, setting in document["state"].items():
        yield from _setting(name, setting)
    for span in document["open"]:
        name = clean_line(str(span["id"] or ""), 80)
        yield f"  open: {span['kind'].replace('_', ' ')} {name} since {count(span['since'])}"


def _heading(about: dict[str, Any]) -> str:
    title = clean_line(str(about["title"] or about["id"] or "untitled"), 120)
    return f"{title}  {about['format']} {about['variant']}  {plural(about['events'], 'event')}"


def _verdict(verdict: dict[str, Any]) -> Iterator[str]:
    word = {True: "opens", False: "refuses", "partly": "opens part of"}[verdict["opens"]]
    reason = f": {clean_line(verdict['reason'], 400)}" if verdict["reason"] else ""
    yield f"{verdict['owner']} {word} this tape{reason}"


def _number(row: dict[str, Any]) -> str:
    return f"#{row['event']}" if row["seq"] is None else f"@{row['seq']}"


def _setting(name: str, setting: dict[str, Any]) -> Iterator[str]:
    value = setting["value"]
    since = f"since {count(setting['since'])}"
    if isinstance(value, list):
        yield f"  {name} ({since})"
        for item in value:
            words = item.values() if isinstance(item, dict) else [item]
            yield "    " + clean_line(" · ".join(map(str, words)), 200)
        return
    yield f"  {name}: {clean_line(str(value), 200)} ({since})"


def events(documents: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The text of `inspector.export.documents.events`, one row a line, never more in memory."""
    for row in documents:
        hidden = f" by #{row['by']}" if row["by"] is not None else ""
        visibility = f"{row['visibility']}{hidden}"
        kind = set_cell_size(clean_line(row["kind"], 16), 16)
        number = _number(row)
        yield f"{number:>8}  {kind}  {visibility:<18}  {row['preview']}".rstrip()


def check(document: dict[str, Any]) -> Iterator[str]:
    """The text of `inspector.export.documents.check`."""
    yield f"{clean_line(document['path'])}"
    yield f"  {_heading(document['tape'])}"
    sums = document["sums"]
    parts = [
        f"{count(sums[key])} {key}"
        for key in ("carriers", "bookkeeping", "blank", "pending", "damaged")
        if sums[key] or key == "carriers"
    ]
    yield (
        f"  {plural(sums['records'], 'record')} = {' + '.join(parts)}; "
        f"{plural(sums['events'], 'event')}, {count(sums['recovered'])} records recovered"
    )
    for line in _verdict(document["verdict"]):
        yield f"  {line}"
    if not document["findings"]:
        yield "  nothing found"
    for finding in document["findings"]:
        yield f"  {finding['severity']}: {_place(finding)}{finding['message']}"
        yield f"    effect: {finding['effect']}  [{finding['code']}]"


def _place(finding: dict[str, Any]) -> str:
    words = [
        f"{name} {count(finding[name])}"
        for name in ("line", "byte", "event")
        if finding[name] is not None
    ]
    return f"{', '.join(words)}: " if words else ""
