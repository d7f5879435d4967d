import pytest

from inspector.tape import troubles as module
from inspector.tape.troubles import Trouble, TroubleCode, Troubles


def test_beyond_so_many_troubles_the_rest_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TROUBLES_KEPT", 2)
    troubles = Troubles()
    added = [Trouble(TroubleCode.NOT_A_FRAME, at, 10 * at, "words") for at in range(5)]
    for trouble in added[:2]:
        troubles.add(trouble)
    assert troubles.listed() == added[:2]
    for trouble in added[2:]:
        troubles.add(trouble)
    assert troubles.listed() == [
        *added[:2],
        Trouble(TroubleCode.MORE_TROUBLES, 2, 20, "3 more troubles from byte 2 on are not listed"),
    ]
