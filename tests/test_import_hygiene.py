"""What each command may import, asked of a process of its own."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.guarding import guarded

DEMO = str(Path(__file__).resolve().parents[1] / "sample_tapes" / "demo.jsonl")


def imported(*words: str) -> set[str]:
    """The modules that a command line leaves imported."""
    code = (
        "import sys\n"
        "from inspector.cli import main\n"
        "try:\n"
        f"    main({list(words)!r})\n"
        "except SystemExit:\n"
        "    pass\n"
        "print('|'.join(sys.modules), file=sys.stderr)\n"
    )
    command = [sys.executable, "-c", code]
    with guarded(Path(DEMO)):
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(done.stderr.splitlines()[-1].split("|"))


@pytest.mark.parametrize(
    "words",
    [
        ("--version",),
        ("--help",),
        ("show", DEMO),
        ("show", DEMO, "--json"),
        ("events", DEMO),
        ("events", DEMO, "--jsonl"),
        ("check", DEMO, "--json"),
    ],
)
def test_headless_commands_import_no_textual(words: tuple[str, ...]) -> None:
    modules = imported(*words)
    assert not {name for name in modules if name.split(".")[0] in ("textual", "asyncio")}


@pytest.mark.parametrize("words", [("--version",), ("--help",), ("show", "--help")])
def test_help_and_version_import_no_format_and_scan_no_entry_points(words: tuple[str, ...]) -> None:
    modules = imported(*words)
    assert not {name for name in modules if name.startswith("inspector.formats")}
    assert "importlib.metadata" not in modules
    assert "orjson" not in modules


def test_what_plans_need_is_imported_when_somebody_plans() -> None:
    without, planned = imported("show", DEMO), imported("plan", "resume", DEMO)
    assert "inspector.formats.planning" in planned
    assert not {
        name
        for name in without
        if name.startswith(("inspector.formats.planning", "inspector.plans", "inspector.ui.plans"))
    }


def test_opening_a_tape_of_ours_scans_no_entry_points() -> None:
    assert "importlib.metadata" not in imported("show", DEMO)


def test_the_core_imports_neither_rich_nor_textual() -> None:
    code = (
        "import sys, inspector.formats.opening, inspector.inspection, inspector.places, "
        "inspector.actions\n"
        "print('|'.join(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    roots = {name.split(".")[0] for name in done.stdout.strip().split("|")}
    assert not roots & {"rich", "textual", "asyncio", "argparse"}
