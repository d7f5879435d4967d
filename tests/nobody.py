"""Code run as a user who may read nothing but what everybody may."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

NOBODY: Final = 65534

needs_nobody = pytest.mark.skipif(
    os.geteuid() != 0, reason="only root can become somebody who may not read"
)

_SCRIPT: Final = """
import importlib
import os
import pkgutil
from pathlib import Path
import inspector.formats
import inspector.library
import inspector.tape
from inspector.formats.contract import Options
from inspector.formats.opening import open_tape
from inspector.formats.registry import all_formats
from inspector.tape.source import SourceError
all_formats()
for package in (inspector.formats, inspector.library, inspector.tape):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        importlib.import_module(module.name)
os.setgroups([])
os.setgid({nobody})
os.setuid({nobody})
"""


def as_nobody(code: str) -> str:
    """What lines of code print that open tapes, in folders which everybody may enter.

    What reading takes is imported before, as the interpreter itself may be in a private place.
    """
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT.format(nobody=NOBODY) + code],
        cwd=Path(__file__).resolve().parents[1],
        capture_output=True,
        check=False,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
