"""The shared corpus: beside the checkout or where INSPECTOR_CORPUS says; skipped elsewhere."""

import os
from pathlib import Path

ROOT = Path(
    os.environ.get("INSPECTOR_CORPUS", Path(__file__).resolve().parents[3] / "shared")
)
DSH_VALID = ROOT / "oracle" / "dsh" / "valid"
