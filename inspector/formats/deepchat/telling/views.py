"""A view manifest for people: what went into a request, what was left out, and why (page 6)."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from inspector.formats.contract import Section
from inspector.formats.deepchat.manifest import INVALID, VALID, integrity
from inspector.formats.shapes import items, mapping
from inspector.formats.telling import joined, said

_LISTED: Final = 500
_VERDICTS: Final = {
    VALID: "valid: the manifest is what its hash says",
    INVALID: "invalid: the manifest is not what its hash says",
}


def view_sections(manifest: dict[str, Any]) -> Iterator[Section]:
    """A manifest; it holds references and hashes, never the prompt itself."""
    found = integrity(manifest)
    version = said(manifest.get("hashVersion"))
    unknown = f"unverified: nobody knows the recipe of hash version {version or '(none)'}"
    yield Section("hash", _VERDICTS.get(found, unknown), "error" if found == INVALID else "dim")
    included, excluded = items(manifest.get("included")), items(manifest.get("excluded"))
    yield Section(f"included ({len(included)})", _list(included))
    if excluded:
        yield Section(f"left out ({len(excluded)}){_reasons(excluded)}", _list(excluded))
    for ranged in items(manifest.get("excludedRanges"))[:_LISTED]:
        about = mapping(ranged)
        places = f"places {said(about.get('fromOrderSeq'))} to {said(about.get('toOrderSeq'))}"
        yield Section(
            "left out", joined(places, said(about.get("count")), said(about.get("reason"))), "dim"
        )
    budget = mapping(manifest.get("tokenBudget"))
    if budget:
        yield Section("budget", ", ".join(f"{key} {said(budget[key])}" for key in budget), "dim")


def _reasons(entries: list[Any]) -> str:
    counted = Counter(said(mapping(entry).get("reason")) or "no reason" for entry in entries)
    return "".join(f" · {number} {reason}" for reason, number in counted.most_common(6))


def _list(entries: list[Any]) -> str:
    lines = [_line(mapping(entry)) for entry in entries[:_LISTED]]
    if len(entries) > _LISTED:
        lines.append(f"and {len(entries) - _LISTED:,} more")
    return "\n".join(lines) or "nothing"


def _line(entry: dict[str, Any]) -> str:
    number = entry.get("entryId")
    where = "made for the request" if number is None else f"entry {said(number)}"
    return joined(
        where,
        said(entry.get("role")),
        said(entry.get("messageId")),
        said(entry.get("reason")).replace("_", " "),
    )
