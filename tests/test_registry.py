"""Our own formats are registered like anybody's."""

from importlib.metadata import entry_points

from inspector.formats.registry import GROUP, OWN, others


def test_the_formats_known_without_a_scan_are_the_entry_points() -> None:
    ours = {entry.name: entry.load() for entry in entry_points(group=GROUP)}
    assert {format_.name: format_ for format_ in OWN} == ours


def test_nobody_else_is_named_twice() -> None:
    assert not {format_.name for format_ in OWN} & {format_.name for format_ in others()}
