"""The command line: every view of the screen has a headless twin here.

stdout carries data only; messages go to stderr, one line each. No Textual before a screen is asked
for, no entry points before a tape is opened. `argparse` and not click: the screen's first frame has
three tenths of a second, and click takes one of them on a slow machine.
"""

import io
import os
import sys
from collections.abc import Sequence

from inspector.cli.commands import COMMANDS, run
from inspector.cli.endings import FINE, UNREADABLE, Failure, complain, discard_output, fault_words
from inspector.cli.screen import demo_tape

__all__ = ["COMMANDS", "demo_tape", "main"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; always ends with SystemExit.

    Args:
        arguments: those of the process unless told.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Lone surrogates, and whatever the terminal's encoding lacks.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        code = run(words)
    except Failure as failure:
        complain(str(failure))
        code = failure.code
    except KeyboardInterrupt:
        code = 130
    except BrokenPipeError:
        # The interpreter would flush once more at its end and complain.
        discard_output()
        code = FINE
    except Exception as fault:
        if os.environ.get("INSPECTOR_TRACEBACK"):
            raise
        complain(fault_words(fault))
        code = UNREADABLE
    raise SystemExit(code)
