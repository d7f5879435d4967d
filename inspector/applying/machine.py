"""The world of this machine: its disk, the person's journal, and its processes."""

from dataclasses import replace
from pathlib import Path
from uuid import uuid4

from inspector.applying.disk import RealDisk
from inspector.applying.holders import writers
from inspector.applying.journal import Journal
from inspector.applying.world import World
from inspector.formats.contract import Options, Tape
from inspector.formats.opening import open_tape


def world(data: Path, source: Path, options: Options) -> World:
    """Where plans for a tape are carried out.

    Args:
        data: the person's data folder, which need not be there.
        source: of the tape.
        options: how it was opened; what is made of it is read in the same way.
    """
    own = source.absolute()

    def reopen(path: Path) -> Tape:
        # A tape that is made holds one session, with an id of its own.
        chosen = options if path.absolute() == own else replace(options, session=None)
        tape = open_tape(path, chosen)
        try:
            while tape.advance():
                pass
        except BaseException:
            tape.close()
            raise
        return tape

    disk = RealDisk()
    return World(disk, Journal(data, disk), reopen, writers, lambda: str(uuid4()))
