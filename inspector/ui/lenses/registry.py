"""Every lens of the screen, by the name that its action calls it by."""

from typing import Final

from inspector.ui.lenses import audit, diff, requests, stream, why
from inspector.ui.lenses.lens import Lens

LENSES: Final[dict[str, Lens]] = {
    "stream": stream.LENS,
    "why": why.LENS,
    "audit": audit.LENS,
    "requests": requests.LENS,
    "diff": diff.LENS,
    "diff-anchor": diff.ANCHORED,
}
