"""Pictures of the screen: one per screen and state; everything else is tested by its text."""

from collections.abc import Callable

import pytest

from tests.guarding import guarded
from tests.ui.driving import path_of, program

SnapCompare = Callable[..., bool]


@pytest.mark.parametrize(
    ("tape", "at", "keys", "size"),
    [
        pytest.param("demo", "seq:346", (), (120, 40), id="second-compaction"),
        pytest.param("demo", "seq:195", ("tab", "j"), (200, 50), id="wide-surface-in-hand"),
        pytest.param("demo", "seq:346", (), (80, 24), id="narrow-events"),
        pytest.param("demo", "seq:346", ("i",), (80, 24), id="narrow-state"),
        pytest.param("demo", "0", (), (120, 40), id="before-the-first"),
        pytest.param("ten-events-unknown", None, (), (120, 40), id="required-unknown"),
        pytest.param("damaged-line", None, (), (120, 40), id="damaged"),
        pytest.param("hostile", None, ("U",), (120, 40), id="hostile"),
        pytest.param("packed-rows", "4", ("r",), (120, 40), id="raw"),
        pytest.param("demo", None, ("question_mark",), (120, 40), id="help"),
        pytest.param("recovered", None, ("exclamation_mark",), (120, 40), id="damage-report"),
        pytest.param("packed-rows", None, ("number_sign",), (80, 24), id="physical-records"),
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
