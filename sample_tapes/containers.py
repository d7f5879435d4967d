"""Tapes in what keeps them: frames, an archive, a folder (format page 1.1 to 1.3)."""

import gzip
import json
import struct
import sys
import zipfile
import zlib
from collections.abc import Sequence
from io import BytesIO
from typing import Final

from sample_tapes.versions import Later
from sample_tapes.writing import Tape, begun, exited, picture

if sys.version_info >= (3, 14):
    from compression.zstd import CompressionParameter, ZstdCompressor
else:
    from backports.zstd import CompressionParameter, ZstdCompressor

_LEVEL: Final = 3
_ZIP_TIME: Final = (2026, 3, 2, 9, 0, 0)
_FOLDER: Final = "home/sessions/--work-demo--/sample-archived"


def containers() -> dict[str, bytes]:
    """Everything that is no plain log, by path.

    The compressed ones hold the same text whenever they are written, but their bytes may differ
    from one version of a compressor to the next.
    """
    frames = _frames()
    return {
        "frames.jsonl.zstd": b"".join(frames),
        "torn-frame.jsonl.zstd": b"".join(frames)[:-40],
        "damaged-frame.jsonl.zstd": b"".join((*frames[:2], _holed(frames[2]), *frames[3:])),
        "session.jsonl.gz": gzip.compress(_counting("sample-gzip").done(), mtime=0),
        "export.zip": _archive(),
        f"{_FOLDER}/session.jsonl": _archived().done(),
        f"{_FOLDER}/session.v3.jsonl": _migrated().done(),
        "home/storages/workspace.json": _workspace(),
    }


def _counting(session: str) -> Tape:
    """Three turns, of which each may become a frame."""
    tape = begun(session, "Count the tests in tests/auth.")
    count_tests = {"command": "pytest -q --collect-only tests/auth", "description": "Count tests"}
    tape.use("", "bash", count_tests, exited("41 tests collected in 0.31s"))
    tape.step()
    tape.answer("There are 41.")
    tape.end_turn()
    tape.prompt("And in tests/mail?")
    tape.answer("17, by the list from before.")
    tape.end_turn()
    tape.prompt("Together?")
    tape.answer("58.")
    tape.end_turn()
    return tape


# Frames.


def _frames() -> list[bytes]:
    """The header and a frame for each turn."""
    lines = _counting("sample-frames").lines
    batches: list[list[bytes]] = [[lines[0]], []]
    for line in lines[1:]:
        batches[-1].append(line)
        if b'"turn/end"' in line:
            batches.append([])
    return [_frame(batch) for batch in batches if batch]


def _frame(lines: Sequence[bytes]) -> bytes:
    options: dict[int, int] = {
        CompressionParameter.compression_level: _LEVEL,
        CompressionParameter.checksum_flag: 1,
    }
    compressor = ZstdCompressor(options=options)
    return compressor.compress(b"".join(lines), ZstdCompressor.FLUSH_FRAME)


def _holed(frame: bytes) -> bytes:
    """A frame of which a disk lost the middle."""
    third = len(frame) // 3
    return frame[:third] + bytes(third) + frame[2 * third :]


# The export of a session.


def _archive() -> bytes:
    """A session, the helper it asked, and the picture that a person showed it."""
    shown = _png(2, 2)
    block = picture(shown, "button.png", 2, 2)
    medium = f"media/{block['attachment']['attachmentId']}.png"
    parent = Tape("sample-export")
    parent.prompt("What colour is this button?", after=0, pictures=[block])
    parent.request()
    parent.use("", "subagent", {"prompt": "Name the colour of button.png."}, "Grey.", took=3)
    parent.step()
    parent.answer("Grey.")
    parent.end_turn()
    helper = Tape(
        "sample-helper", parentSession="sample-export", origin="subagent", delegationDepth=1
    )
    descriptor = {"version": 2, "mode": "one-shot", "provider": "spawn", "label": "Name a colour"}
    helper.event("subagent/descriptor", descriptor)
    helper.prompt("Name the colour of button.png.", after=0)
    helper.request()
    helper.answer("Grey.")
    helper.end_turn()
    members = {
        "session.jsonl": parent.done(),
        "subagents/sample-helper/session.jsonl": helper.done(),
        medium: shown,
    }
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in members.items():
            member = zipfile.ZipInfo(name, _ZIP_TIME)
            # Whoever writes it would otherwise be told by it.
            member.create_system = 3
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, content)
    return packed.getvalue()


def _png(width: int, height: int) -> bytes:
    """A grey picture."""
    rows = b"".join(b"\0" + b"\x99" * width for _ in range(height))
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)),
        (b"IDAT", zlib.compress(rows, 0)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(_png_part(*part) for part in parts)


def _png_part(name: bytes, content: bytes) -> bytes:
    size, check = len(content), zlib.crc32(name + content)
    return struct.pack(">I", size) + name + content + struct.pack(">I", check)


# A session's folder.


def _archived() -> Tape:
    """The session as it was written first."""
    tape = Tape("sample-archived", cwd="/work/demo")
    tape.prompt("Is the build green?", after=0)
    tape.request()
    tape.answer("Yes.")
    tape.end_turn()
    return tape


def _migrated() -> Tape:
    """The same session as a newer owner published it beside the old log."""
    tape = Later("sample-archived", 3, cwd="/work/demo")
    tape.begin("Is the build green?")
    tape.answer("Yes.")
    tape.end_turn()
    return tape


def _workspace() -> bytes:
    """The owner's workspaces, one of which lists the session; the archive has it too."""
    at = "2026-03-02T09:00:00.000Z"
    unit = {
        "unit": {"name": "workspace", "version": 2},
        "global": {
            "initialized": True,
            "workspaceIds": ["workspace-1"],
            "archivedSessionIds": ["sample-archived"],
        },
        "tables": {
            "workspaces": {
                "workspace-1": {
                    "path": "/work/demo",
                    "title": "Builds",
                    "sessionIds": ["sample-archived"],
                    "createdAt": at,
                    "updatedAt": at,
                }
            }
        },
    }
    return json.dumps(unit, indent=2).encode() + b"\n"
