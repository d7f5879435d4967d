"""Pictures of the screen: one per screen and state; everything else is tested by its text."""

from collections.abc import Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.guarding import guarded
from tests.ui.driving import SAMPLES, path_of, program

SnapCompare = Callable[..., bool]


@pytest.mark.parametrize(
    ("tape", "at", "keys", "size"),
    [
        pytest.param("demo", "seq:346", (), (120, 40), id="second-compaction"),
        pytest.param("demo", "seq:195", ("tab", "j"), (200, 50), id="wide-surface-in-hand"),
        pytest.param("demo", "seq:346", (), (80, 24), id="narrow-events"),
        pytest.param("demo", "seq:346", ("i",), (80, 24), id="narrow-state"),
        pytest.param("lives", None, ("i",), (120, 40), id="state"),
        pytest.param("demo", "0", (), (120, 40), id="before-the-first"),
        pytest.param("ten-events-unknown", None, (), (120, 40), id="required-unknown"),
        pytest.param("damaged-line", None, (), (120, 40), id="damaged"),
        pytest.param("hostile", None, ("U",), (120, 40), id="hostile"),
        pytest.param("packed-rows", "4", ("r",), (120, 40), id="raw"),
        pytest.param("demo", None, ("question_mark",), (120, 40), id="help"),
        pytest.param("recovered", None, ("exclamation_mark",), (120, 40), id="damage-report"),
        pytest.param("packed-rows", None, ("number_sign",), (80, 24), id="physical-records"),
        pytest.param("nested-compaction", None, ("pageup", "w"), (120, 40), id="why"),
        pytest.param("demo", "seq:179", ("w",), (80, 24), id="why-narrow"),
        pytest.param("demo", "seq:346", ("d",), (120, 40), id="diff"),
        pytest.param("prune", "seq:16", ("d",), (80, 24), id="diff-narrow"),
        pytest.param("demo", "100", ("a", "G", "D"), (120, 40), id="diff-anchor"),
        pytest.param("demo", "100", ("a", "G"), (80, 24), id="anchor-narrow"),
        pytest.param("demo", "seq:346", ("V", "tab", *"kkkk"), (120, 40), id="transcript"),
        pytest.param("demo", "seq:163", ("V",), (80, 24), id="transcript-narrow"),
        pytest.param("demo", "30", ("V",), (120, 40), id="transcript-writing"),
        pytest.param("demo", "30", ("V",), (80, 24), id="transcript-writing-narrow"),
        pytest.param("packed-rows", "20", ("W",), (120, 40), id="stream"),
        pytest.param("demo", "30", ("W",), (80, 24), id="stream-narrow"),
        pytest.param(
            "demo", "100", ("slash", *"pytest", "enter", "m", "a", "2", "n"), (120, 40), id="hits"
        ),
        pytest.param(
            "demo",
            "250",
            ("slash", *"pytest", "enter", "slash", "enter"),
            (80, 24),
            id="hits-list-narrow",
        ),
        pytest.param(
            "demo",
            "250",
            ("slash", *"vendor", "enter", "slash", "enter"),
            (120, 40),
            id="hits-list",
        ),
        pytest.param(
            "demo", "seq:346", ("v", "v", "f", *"tool", "enter"), (120, 40), id="filtered"
        ),
        pytest.param("demo", "seq:300", ("f", *"summary", "enter"), (80, 24), id="filtered-narrow"),
        pytest.param("demo", "100", ("m", "a", "M"), (120, 40), id="bookmarks"),
        pytest.param("demo", "100", ("m", "a", "M"), (80, 24), id="bookmarks-narrow"),
        pytest.param("open-turn", None, ("O",), (120, 40), id="next-request"),
        pytest.param("demo", "seq:346", ("O",), (80, 24), id="next-request-narrow"),
        pytest.param("demo", "seq:346", ("S",), (60, 16), id="audit-small"),
        pytest.param("demo", "seq:189", ("S",), (120, 40), id="audit"),
        pytest.param("demo", "seq:346", ("S",), (80, 24), id="audit-narrow"),
        pytest.param("demo", None, ("Q", *"kkkkkkkkkkk"), (120, 40), id="requests"),
        pytest.param("demo", None, ("Q", *"kkkkkkkkkkkkkkk"), (80, 24), id="requests-narrow"),
    ],
)
def test_picture(
    snap_compare: SnapCompare,
    tape: str,
    at: str | None,
    keys: tuple[str, ...],
    size: tuple[int, int],
) -> None:
    with guarded(path_of(tape)):
        assert snap_compare(program(tape, at), press=keys, terminal_size=size)


@pytest.mark.parametrize(
    "size",
    [
        pytest.param((120, 40), id="requests-priced"),
        pytest.param((80, 24), id="requests-priced-narrow"),
    ],
)
def test_picture_with_prices(
    snap_compare: SnapCompare,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    size: tuple[int, int],
) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text('currency = "USD"\n[models."*"]\nmiss = 0.27\nhit = 0.07\noutput = 1.1\n')
    monkeypatch.setenv("INSPECTOR_PRICES", str(prices))
    with guarded(path_of("demo")):
        assert snap_compare(program("demo"), press=["Q", *"kkk"], terminal_size=size)


@pytest.mark.parametrize(
    "size", [pytest.param((120, 40), id="two-tapes"), pytest.param((80, 24), id="two-tapes-narrow")]
)
def test_picture_of_two_tapes(
    snap_compare: SnapCompare, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    async def compare(pilot: Pilot[None]) -> None:
        await pilot.press("K", "enter")
        for _ in range(3):
            await pilot.app.workers.wait_for_complete()
            await pilot.pause()
        await pilot.press("j", "j", "j", "j")

    fork = SAMPLES / "zero" / "lantern-fork" / "events.jsonl"
    # The command names paths as one would write them here.
    monkeypatch.chdir(SAMPLES)
    with guarded(fork):
        assert snap_compare(program(fork), run_before=compare, terminal_size=size)


@pytest.mark.parametrize(
    "size", [pytest.param((120, 40), id="family"), pytest.param((80, 24), id="family-narrow")]
)
def test_picture_of_a_family(
    snap_compare: SnapCompare, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    async def look(pilot: Pilot[None]) -> None:
        await pilot.press("J")
        for _ in range(3):
            await pilot.app.workers.wait_for_complete()
            await pilot.pause()

    session = SAMPLES / "zero" / "lantern" / "events.jsonl"
    # Paths are shown as one would write them here.
    monkeypatch.chdir(SAMPLES)
    with guarded(session):
        assert snap_compare(program(session), run_before=look, terminal_size=size)
