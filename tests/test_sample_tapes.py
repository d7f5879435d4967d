"""The sample tapes are what their generator makes, and show what the list of them promises."""

import gzip
import json
import sqlite3
import sys
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any, Final, Protocol

import pytest

from inspector.export import documents
from inspector.formats.contract import Options, Tape
from inspector.formats.dsh.vocabulary import WORDS
from inspector.formats.opening import annexes, open_tape, session_entries
from inspector.timeline.words import Life, Mark, Outcome, SpanKind
from sample_tapes.generate import everything, tapes
from sample_tapes.pi import pi
from tests.folding import fold_on, keep

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

SAMPLES: Final = Path(__file__).resolve().parents[1] / "sample_tapes"
FOLDER: Final = "home/sessions/--work-demo--/sample-archived"
OURS: Final = {".py", ".md", ".pyc"}


class Reads(Protocol):
    """Opens a sample and folds it to its end."""

    def __call__(self, name: str, session: str | None = None) -> Tape: ...


@pytest.fixture
def read() -> Reads:
    def folded(name: str, session: str | None = None) -> Tape:
        return fold_on(keep(open_tape(SAMPLES / name, Options(session=session))))

    return folded


def shown(tape: Tape, cursor: int | None = None) -> dict[str, Any]:
    """What `show --json` prints."""
    return documents.show(tape, tape.timeline.events if cursor is None else cursor)


def surface(tape: Tape, cursor: int | None = None) -> list[int]:
    """The events on the surface at a cursor, or the head."""
    timeline = tape.timeline
    rows = timeline.rows(timeline.events if cursor is None else cursor)
    return [timeline.surface.nodes.origin(row.node) for row in rows]


def spans(tape: Tape, kind: SpanKind) -> list[tuple[Outcome, str | None]]:
    """How each interval of a kind ended."""
    table = tape.timeline.spans[kind]
    return [(table[number].outcome, table[number].word) for number in range(len(table))]


def outcomes(tape: Tape, kind: SpanKind) -> list[Outcome]:
    """The same without the words."""
    return [outcome for outcome, _ in spans(tape, kind)]


def codes(tape: Tape) -> set[str]:
    """The codes of all that `check` finds."""
    return {finding["code"] for finding in documents.check(tape)["findings"]}


def types(tape: Tape) -> list[str]:
    """The types of all events, as written."""
    return [tape.timeline.table.type(event) for event in range(tape.timeline.events)]


# The files.


def test_the_logs_are_what_the_generator_makes() -> None:
    made = tapes()
    assert {path.name for path in SAMPLES.glob("*.jsonl")} == made.keys()
    for name, content in made.items():
        assert (SAMPLES / name).read_bytes() == content, name


def test_the_other_text_files_are_what_the_generator_makes() -> None:
    home = {name: content for name, content in everything().items() if name.startswith("home/")}
    assert len(home) == 3
    for name, content in home.items():
        assert (SAMPLES / name).read_bytes() == content, name


def test_there_is_no_file_that_the_generator_does_not_make() -> None:
    found = {
        path.relative_to(SAMPLES).as_posix()
        for path in SAMPLES.rglob("*")
        if path.is_file() and path.suffix not in OURS
    }
    assert found == everything().keys()


def test_two_runs_make_the_same_bytes() -> None:
    assert everything() == everything()


@pytest.mark.parametrize("name", ["frames.jsonl.zstd", "session.jsonl.gz"])
def test_a_packed_log_holds_the_text_that_the_generator_packs(name: str) -> None:
    unpack = zstd.decompress if name.endswith("zstd") else gzip.decompress
    assert unpack((SAMPLES / name).read_bytes()) == unpack(everything()[name])


def test_the_archive_holds_the_members_that_the_generator_packs(tmp_path: Path) -> None:
    made = tmp_path / "export.zip"
    made.write_bytes(everything()["export.zip"])
    assert members(SAMPLES / "export.zip") == members(made)


def members(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_database_holds_the_rows_that_the_generator_writes(tmp_path: Path) -> None:
    made = tmp_path / "sessions.db"
    made.write_bytes(everything()["sessions.db"])
    assert rows(SAMPLES / "sessions.db") == rows(made)


def rows(path: Path) -> list[tuple[Any, ...]]:
    """All rows, with compressed data as the text that it holds."""
    uri = f"file:{path}?immutable=1"
    with closing(sqlite3.connect(uri, uri=True)) as connection:
        found = [
            row
            for table in ("persistence_state", "sessions", "events")
            for row in connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2")  # noqa: S608 - names from the line above
        ]
    return [tuple(map(plain, row)) for row in found]


def plain(value: object) -> object:
    if isinstance(value, bytes) and value.startswith(b"\x28\xb5\x2f\xfd"):
        return zstd.decompress(value).decode()
    return value


def test_every_file_is_in_the_list_of_tapes() -> None:
    listed = (SAMPLES / "README.md").read_text(encoding="utf-8")
    names = {name if not name.startswith(FOLDER) else f"{FOLDER}/" for name in everything()}
    assert not [name for name in names if f"`{name}`" not in listed]


def test_the_list_of_tapes_names_no_other_file() -> None:
    listed = (SAMPLES / "README.md").read_text(encoding="utf-8").splitlines()
    named = [line.split("`")[1] for line in listed if line.startswith("| `")]
    assert not [name for name in named if not (SAMPLES / name).exists()]


# What the owner would say of each, and what is found.

SOUND: Final = (
    "activities.jsonl",
    "compaction-ends.jsonl",
    "compaction.jsonl",
    "errors.jsonl",
    "failed-compaction.jsonl",
    "frames.jsonl.zstd",
    "header-only.jsonl",
    "hostile.jsonl",
    "injected-context.jsonl",
    "interrupted.jsonl",
    "legacy-shapes.jsonl",
    "lives.jsonl",
    "nested-compaction.jsonl",
    "open-compaction.jsonl",
    "open-turn.jsonl",
    "overflow-recovery.jsonl",
    "packed-rows.jsonl",
    "parallel-calls.jsonl",
    "prune.jsonl",
    "ten-events.jsonl",
    "todo.jsonl",
    "unicode.jsonl",
    "version-3.session.v3.jsonl",
    "version-4.session.v4.jsonl",
    "claude/7c1d0a52-3b8e-4f60-9a17-5e2c64b90d31/subagents/agent-b7e1.jsonl",
    "codex/rollout-2026-05-05T09-00-00-019d5046-7800-7000-8000-0000000000b2.jsonl",
    FOLDER,
)

FOUND: Final = {
    "claude/7c1d0a52-3b8e-4f60-9a17-5e2c64b90d31.jsonl": (True, {"rewound", "readers-differ"}),
    "codex/rollout-2026-05-04T09-00-00-019d4b20-1c00-7000-8000-0000000000a1.jsonl": (
        True,
        {"undone-compaction"},
    ),
    "damaged-frame.jsonl.zstd": (False, {"damaged-frame", "sequence-gap"}),
    "damaged-line.jsonl": (False, {"not-json", "sequence-gap"}),
    "demo.jsonl": (True, {"unknown-ignorable"}),
    "export.zip": (True, set[str]()),
    "future-version.jsonl": (False, {"other-version"}),
    f"{FOLDER}/session.jsonl": (True, {"other-generation"}),
    "recovered.jsonl": (
        False,
        {
            "bom",
            "nul-padding",
            "glued",
            "raw-control",
            "not-utf8",
            "torn-prefix",
            "lost-bytes",
            "duplicate-key",
            "big-number",
            "unknown-ignorable",
        },
    ),
    "rejected-event.jsonl": (False, {"bad-surface-op"}),
    "session.jsonl.gz": (False, set[str]()),
    "ten-events-unknown.jsonl": (False, {"unknown-required"}),
    "torn-frame.jsonl.zstd": (True, {"torn-frame"}),
    "torn-tail.jsonl": (True, {"torn-tail"}),
    "unknown-ignorable.jsonl": (True, {"unknown-ignorable"}),
    **dict.fromkeys(pi(), (True, set[str]())),
    "pi/2025-12-18T09-00-00-000Z_5d1f0c3a-7b2e-4c80-9a44-1e0f6b7c2d12.jsonl": (
        True,
        {"rewritten-on-open"},
    ),
    "reina/ses_motrojk0_h4vz.jsonl": (True, {"unknown-kind", "broken-arguments"}),
    "reina/ses_mov74e80_p8ke.jsonl": (
        True,
        {"ambiguous-compaction", "overlapping-compactions", "range-beyond"},
    ),
    "zero/lantern/events.jsonl": (True, {"rewound"}),
    "zero/lantern/metadata.json": (True, {"no-events"}),
    "zero/lantern-fork/events.jsonl": (True, {"compaction-covers-nothing", "rewound"}),
    "zero/lantern-fork/metadata.json": (True, {"no-events"}),
}
"""By path whether the owner opens it, and the codes of what is found."""


def test_every_tape_has_an_expected_verdict() -> None:
    apart = {
        "sessions.db",
        "deepchat.db",
        "home/storages/workspace.json",
        f"{FOLDER}/session.v3.jsonl",
    }
    apart |= {name for name in everything() if name.endswith(".meta.json")}
    assert everything().keys() - apart == {*SOUND, *FOUND} - {FOLDER}


@pytest.mark.parametrize("name", SOUND)
def test_the_owner_opens_a_sound_tape_in_which_nothing_is_found(read: Reads, name: str) -> None:
    tape = read(name)
    assert tape.verdict().opens is True
    assert codes(tape) == set()
    assert tape.timeline.reliable_to == tape.timeline.events


@pytest.mark.parametrize("name", FOUND)
def test_the_verdict_and_the_findings_of_every_other_tape(read: Reads, name: str) -> None:
    tape = read(name)
    assert (tape.verdict().opens, codes(tape)) == FOUND[name]


# Stories.


@pytest.mark.parametrize(
    ("kind", "least"),
    [(Mark.USER, 10), (Mark.ERROR, 3), (Mark.COMPACTION, 3), (Mark.TOOL_CALL, 20), (Mark.TURN, 14)],
)
def test_the_demo_has_marks_of_every_class(read: Reads, kind: Mark, least: int) -> None:
    assert len(read("demo.jsonl").timeline.marks.events(kind)) >= least


@pytest.mark.parametrize(
    ("kind", "ends"),
    [
        (SpanKind.COMPACTION, [Outcome.OK, Outcome.FAILED, Outcome.OK]),
        (SpanKind.APPROVAL, [Outcome.OK]),
        (SpanKind.HOOK, [Outcome.REJECTED]),
        (SpanKind.RETRY, [Outcome.FAILED, Outcome.FAILED, Outcome.OK]),
        (SpanKind.COMMAND, [Outcome.OK]),
        (SpanKind.GOAL, [Outcome.OK]),
        (SpanKind.WORKFLOW, [Outcome.OK]),
        (SpanKind.WORKFLOW_AGENT, [Outcome.OK, Outcome.OK]),
        (SpanKind.CODE_DISPATCH, [Outcome.OK, Outcome.OK]),
        (SpanKind.OVERFLOW_RECOVERY, [Outcome.OK]),
    ],
)
def test_the_demo_has_one_of_everything(read: Reads, kind: SpanKind, ends: list[Outcome]) -> None:
    assert outcomes(read("demo.jsonl"), kind) == ends


def test_the_demo_is_in_the_recovery_from_an_overflow_at_330(read: Reads) -> None:
    opened = shown(read("demo.jsonl"), 330)["open"]
    assert "overflow_recovery" in [span["kind"] for span in opened]


def test_the_activities_have_every_event_type_of_version_0(read: Reads) -> None:
    assert set(types(read("activities.jsonl"))) == WORDS.keys()


@pytest.mark.parametrize(
    ("kind", "ends"),
    [
        (SpanKind.APPROVAL, [Outcome.OK, Outcome.REJECTED, Outcome.CANCELLED]),
        (SpanKind.HOOK, [Outcome.REJECTED]),
        (SpanKind.COMMAND, [Outcome.OK, Outcome.FAILED]),
        (SpanKind.PLAN_MODE, [Outcome.OK]),
        (SpanKind.GOAL, [Outcome.OK]),
        (SpanKind.SCHEDULE, [Outcome.CANCELLED]),
        (SpanKind.WORKFLOW, [Outcome.FAILED]),
        (SpanKind.WORKFLOW_AGENT, [Outcome.OK, Outcome.FAILED]),
        (SpanKind.CODE_DISPATCH, [Outcome.OK, Outcome.OK]),
        (SpanKind.RETRY, [Outcome.OK, Outcome.FAILED]),
        (SpanKind.TEAM_MEMBER, [Outcome.OK]),
        (SpanKind.TEAM_MESSAGE, [Outcome.OK]),
        (SpanKind.TEAM_TASK, [Outcome.OK]),
    ],
)
def test_the_activities_end_well_and_badly(
    read: Reads, kind: SpanKind, ends: list[Outcome]
) -> None:
    assert outcomes(read("activities.jsonl"), kind) == ends


def test_the_activities_await_an_approval_at_54(read: Reads) -> None:
    timeline = read("activities.jsonl").timeline
    (approval,) = timeline.spans[SpanKind.APPROVAL].open_at(54)
    assert approval.outcome is Outcome.AWAITING_APPROVAL


def test_the_activities_are_in_a_sub_call_of_a_sub_call_at_94(read: Reads) -> None:
    timeline = read("activities.jsonl").timeline
    assert len(list(timeline.spans[SpanKind.CODE_DISPATCH].open_at(94))) == 2


# What the model sees.


def test_ten_events_are_two_messages_after_four_events_and_four_at_the_end(read: Reads) -> None:
    tape = read("ten-events.jsonl")
    assert (tape.timeline.events, len(surface(tape, 4)), len(surface(tape))) == (10, 2, 4)


def test_a_compaction_keeps_the_last_call_and_its_result(read: Reads) -> None:
    assert surface(read("compaction.jsonl"), 20) == [19, 12, 14]


def test_the_second_compaction_swallows_the_summary_of_the_first(read: Reads) -> None:
    tape = read("nested-compaction.jsonl")
    assert (surface(tape, 18), surface(tape, 30)) == ([17], [29])


def test_a_failed_compaction_hides_nothing(read: Reads) -> None:
    tape = read("failed-compaction.jsonl")
    assert outcomes(tape, SpanKind.COMPACTION) == [Outcome.FAILED]
    assert tape.timeline.generation(tape.timeline.events) == 0


def test_an_open_compaction_runs_at_the_head(read: Reads) -> None:
    assert outcomes(read("open-compaction.jsonl"), SpanKind.COMPACTION) == [Outcome.RUNNING]


def test_compactions_end_in_four_ways(read: Reads) -> None:
    tape = read("compaction-ends.jsonl")
    failed = "failed: summary request failed: 503 overloaded"
    assert spans(tape, SpanKind.COMPACTION) == [
        (Outcome.OK, "done"),
        (Outcome.FAILED, failed),
        (Outcome.INTERRUPTED, "lock"),
        (Outcome.INTERRUPTED, "stale"),
    ]


def test_a_left_over_compaction_locks_until_a_new_life(read: Reads) -> None:
    registers = read("compaction-ends.jsonl").timeline.registers
    held = [registers.at("compaction lock", cursor) for cursor in (20, 28)]
    assert [lock.value if lock else "unset" for lock in held] == ["cmp-3", None]


def test_one_overflow_is_recovered_from_and_one_is_not(read: Reads) -> None:
    assert spans(read("overflow-recovery.jsonl"), SpanKind.OVERFLOW_RECOVERY) == [
        (Outcome.OK, "recovered: generation grew 0 to 2, retried"),
        (Outcome.FAILED, "nothing could be hidden: generation did not grow"),
    ]


def test_a_prune_cuts_the_middle_of_a_result(read: Reads) -> None:
    tape = read("prune.jsonl")
    timeline = tape.timeline
    assert timeline.visibility(9, timeline.events)[0].label == "pruned"
    assert 16 in surface(tape)


def test_what_plugins_inject_stands_before_the_words(read: Reads) -> None:
    rows = shown(read("injected-context.jsonl"), 8)["surface"]
    assert [row["kind"] for row in rows] == ["context", "context", "context", "message"]


def test_a_refused_replacement_changes_nothing(read: Reads) -> None:
    tape = read("rejected-event.jsonl")
    assert tape.timeline.is_rejected(14)
    assert surface(tape) == [12, 19, 20]


def test_a_fork_that_was_resumed_twice_has_three_lives(read: Reads) -> None:
    timeline = read("lives.jsonl").timeline
    lives = [timeline.life(event, timeline.events) for event in range(timeline.events)]
    assert lives == [Life.INHERITED] * 10 + [Life.EARLIER] * 23 + [Life.THIS] * 9


# Turns and calls.


def test_parallel_calls_return_in_another_order(read: Reads) -> None:
    table = read("parallel-calls.jsonl").timeline.spans[SpanKind.TOOL_CALL]
    calls = [table[number] for number in range(len(table))]
    assert [call.closed for call in calls] == [13, 14, 12]


def test_three_records_hold_the_deltas_of_a_stream(read: Reads) -> None:
    tape = read("packed-rows.jsonl")
    held = [tape.physical(record).events for record in range(tape.records())]
    assert [events for events in held if events > 1] == [4, 3, 4]


def test_an_interrupted_answer_ends_the_turn(read: Reads) -> None:
    tape = read("interrupted.jsonl")
    assert tape.payload(13)["data"]["interrupted"] is True
    assert outcomes(tape, SpanKind.TURN) == [Outcome.CANCELLED, Outcome.OK]


def test_one_retry_helps_and_one_does_not(read: Reads) -> None:
    assert outcomes(read("errors.jsonl"), SpanKind.RETRY) == [Outcome.OK, Outcome.FAILED]


@pytest.mark.parametrize(("cursor", "done"), [(10, 0), (16, 1), (22, 2), (28, 3)])
def test_the_todo_list_is_done_step_by_step(read: Reads, cursor: int, done: int) -> None:
    todos = shown(read("todo.jsonl"), cursor)["state"]["todo"]["value"]
    assert [todo["status"] for todo in todos].count("completed") == done


def test_an_open_turn_has_an_unanswered_call(read: Reads) -> None:
    tape = read("open-turn.jsonl")
    assert outcomes(tape, SpanKind.TOOL_CALL) == [Outcome.OK, Outcome.RUNNING]
    assert outcomes(tape, SpanKind.TURN) == [Outcome.RUNNING]


def test_a_header_alone_is_a_session_without_events(read: Reads) -> None:
    tape = read("header-only.jsonl")
    assert (tape.identity.id, tape.timeline.events) == ("sample-header-only", 0)


# Damage and strangers.


def test_the_fold_stops_before_a_required_unknown_event(read: Reads) -> None:
    assert read("ten-events-unknown.jsonl").timeline.reliable_to == 6


def test_a_torn_tail_is_pending(read: Reads) -> None:
    assert read("torn-tail.jsonl").sums().pending == 1


def test_a_damaged_line_is_line_11(read: Reads) -> None:
    tape = read("damaged-line.jsonl")
    damaged = next(found.record for found in tape.findings() if found.kind.code == "not-json")
    assert damaged is not None
    assert tape.place(damaged).line == 11


def test_everything_is_recovered_but_a_torn_start(read: Reads) -> None:
    tape = read("recovered.jsonl")
    assert [tape.number(event) for event in range(tape.timeline.events)] == list(range(17))
    lost = [found.message for found in tape.findings() if found.kind.code == "lost-bytes"]
    assert len(lost) == 1


def test_the_last_of_two_keys_counts(read: Reads) -> None:
    assert read("recovered.jsonl").payload(16)["data"]["text"] == "fine"


def test_nothing_of_a_future_version_is_folded(read: Reads) -> None:
    assert read("future-version.jsonl").timeline.events == 0


# Versions.


def test_every_old_shape_is_read_as_a_new_one(read: Reads) -> None:
    tape = read("legacy-shapes.jsonl")
    assert "trigger" not in tape.payload(0)["data"]
    assert [tape.message_id(event) for event in (1, 2, 4, 5, 6, 7)] == [
        "legacy-message:sample-legacy-shapes:1",
        "legacy-message:sample-legacy-shapes:2",
        "legacy-message:sample-legacy-shapes:4",
        "legacy-message:sample-legacy-shapes:4",
        "legacy-message:sample-legacy-shapes:6",
        "user-2",
    ]
    failure = {"message": "upstream overloaded", "code": "SERVER"}
    assert [tape.payload(event)["data"]["reason"] for event in (9, 12, 15, 18, 21)] == [
        {"kind": "aborted", "reason": {"kind": "legacy"}},
        {"kind": "aborted", "reason": {"kind": "disposed"}},
        {"kind": "error", "error": {**failure, "status": 503}},
        {"kind": "error", "error": failure},
        {"kind": "error", "error": {"message": "nobody knows why", "code": "UNKNOWN"}},
    ]


def test_version_3_replaces_the_system_prompt_on_the_surface(read: Reads) -> None:
    tape = read("version-3.session.v3.jsonl")
    assert (surface(tape, 11)[0], surface(tape, 12)[0]) == (2, 11)
    assert json.loads(tape.raw(11))["surfaceOp"] == {"op": "replace", "startSeq": 2, "endSeq": 2}


def test_version_4_is_a_fork_inside_an_open_turn(read: Reads) -> None:
    tape = read("version-4.session.v4.jsonl")
    assert tape.timeline.life(7, tape.timeline.events) is Life.INHERITED
    assert spans(tape, SpanKind.TURN)[0][1] == "forked"


def test_version_4_has_results_of_role_tool_and_a_developer_message(read: Reads) -> None:
    rows = shown(read("version-4.session.v4.jsonl"), 23)["surface"]
    assert [row["role"] for row in rows].count("tool") == 2
    assert [row["role"] for row in rows].count("developer") == 1


def test_version_4_leaves_an_image_out_again(read: Reads) -> None:
    tape = read("version-4.session.v4.jsonl")
    before, after = (shown(tape, cursor)["surface"][1] for cursor in (23, 24))
    assert (before["event"], after["event"]) == (3, 3)
    assert ("form" not in before, after["form"]) == (True, "cut")


# Containers.


@pytest.mark.parametrize(
    ("name", "variant", "events"),
    [
        ("frames.jsonl.zstd", "v0/jsonl.zstd", 31),
        ("torn-frame.jsonl.zstd", "v0/jsonl.zstd", 23),
        ("damaged-frame.jsonl.zstd", "v0/jsonl.zstd", 23),
        ("session.jsonl.gz", "v0/jsonl.gzip", 31),
        ("export.zip", "v0/jsonl.zip", 15),
    ],
)
def test_a_packed_log_is_opened_by_what_it_holds(
    read: Reads, name: str, variant: str, events: int
) -> None:
    tape = read(name)
    assert (tape.identity.variant, tape.timeline.events) == (variant, events)


def test_the_header_and_three_batches_have_a_frame_each(read: Reads) -> None:
    tape = read("frames.jsonl.zstd")
    frames = [tape.physical(record).frame for record in range(tape.records())]
    assert frames == [0] + [1] * 15 + [2] * 8 + [3] * 8


def test_what_stands_behind_a_hole_is_read(read: Reads) -> None:
    tape = read("damaged-frame.jsonl.zstd")
    assert [tape.number(event) for event in (14, 15, 22)] == [14, 23, 30]


def test_the_archive_holds_a_subagent_and_a_picture(read: Reads) -> None:
    helper = read("export.zip", "sample-helper").identity
    assert (helper.id, helper.parent) == ("sample-helper", "sample-export")
    (picture,) = (name for name in members(SAMPLES / "export.zip") if name.startswith("media/"))
    shown_in = read("export.zip").payload(4)["data"]["content"][1]["attachment"]["attachmentId"]
    assert picture == f"media/{shown_in}.png"


@pytest.mark.parametrize(
    ("session", "twin"),
    [("sample-packed-rows", "packed-rows.jsonl"), ("sample-prune", "prune.jsonl")],
)
def test_a_session_of_the_database_is_the_log_of_its_name(
    read: Reads, session: str, twin: str
) -> None:
    stored, log = read("sessions.db", session), read(twin)
    assert stored.verdict().opens is True
    assert codes(stored) == set()
    events = range(log.timeline.events)
    assert [stored.payload(event) for event in events] == [log.payload(event) for event in events]
    assert surface(stored) == surface(log)


def test_the_database_lists_two_sessions() -> None:
    entries = session_entries(SAMPLES / "sessions.db")
    assert [entry.id for entry in entries] == ["sample-packed-rows", "sample-prune"]


def test_the_database_has_packed_rows_compressed_data_and_sources() -> None:
    with closing(sqlite3.connect(f"file:{SAMPLES}/sessions.db?immutable=1", uri=True)) as stored:
        count = "SELECT sum(ignorable = 0), sum(typeof(data) = 'blob'), count(source_event_seqs)"
        packed, compressed, cited = stored.execute(f"{count} FROM events").fetchone()
    assert packed == 3
    assert compressed >= 1
    assert cited >= 1


def test_a_folder_opens_its_newest_log_and_says_where_it_belongs(read: Reads) -> None:
    identity = read(FOLDER).identity
    assert identity.path.name == "session.v3.jsonl"
    assert (identity.workspace, identity.archived) == ("Builds", True)
    assert identity.beside == ("another generation: session.jsonl",)


def test_the_workspaces_are_no_session_but_are_told() -> None:
    (annex,) = annexes(SAMPLES / "home/storages/workspace.json")
    assert "workspace Builds: 1 session" in annex.facts
    assert not annex.faults
