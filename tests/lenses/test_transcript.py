"""What the person saw: everything once, in tape order, whatever a compaction does."""

from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.formats.contract import Tape
from inspector.formats.parts import Call, File, Result, Said, Thought
from inspector.lenses import outline
from inspector.lenses.transcript import CHILDREN, Entry, EntryKind, Transcript
from inspector.timeline.words import Kind, Mark, Outcome, Role, SpanKind, Visibility
from tests.lenses.handmade import Handmade
from tests.lenses.tapes import TAPES, opened
from tests.timeline.telling import Event, quiet, scripts, small_tables, told

EVERY = (
    *TAPES,
    ("activities.jsonl", None),
    ("interrupted.jsonl", None),
    ("parallel-calls.jsonl", None),
    ("injected-context.jsonl", None),
    ("deepchat.db", "sample-old-chat"),
)


def walk(entries: list[Entry]) -> Iterator[Entry]:
    """Entries and all that is within them."""
    waiting = entries[::-1]
    while waiting:
        entry = waiting.pop()
        yield entry
        waiting.extend(reversed(entry.children))


def seen(tape: Tape, cursor: int | None = None) -> list[Entry]:
    at = tape.timeline.events if cursor is None else cursor
    return Transcript(tape).entries(at)


def brief(tape: Tape, cursor: int | None = None) -> list[tuple[str, int]]:
    return [(entry.kind.value, entry.event) for entry in seen(tape, cursor)]


def rows_of(tape: Tape, cursor: int) -> set[int]:
    """The events of all rows that were ever made up to a cursor."""
    nodes = tape.timeline.surface.nodes
    return {nodes.origin(node) for node in range(len(nodes)) if nodes.born[node] <= cursor}


def everything_once(tape: Tape, transcript: Transcript, cursor: int) -> None:
    entries = transcript.entries(cursor)
    assert len(entries) == transcript.count(cursor)
    events = Counter(event for entry in walk(entries) for event in entry.events)
    assert all(number == 1 for number in events.values())
    assert rows_of(tape, cursor) <= events.keys()
    assert all(event < cursor for event in events)
    for place, entry in enumerate(entries):
        for event in entry.events:
            assert transcript.place(event, cursor) == place


# Laws.


@pytest.mark.parametrize(("name", "session"), EVERY)
def test_every_row_of_a_sample_appears_once_at_every_cursor(name: str, session: str | None) -> None:
    with opened(name, session) as tape:
        transcript, head = Transcript(tape), tape.timeline.events
        for cursor in {*range(0, head + 1, max(1, head // 40)), head}:
            everything_once(tape, transcript, cursor)


@given(scripts)
@settings(max_examples=25, deadline=None)
def test_every_row_of_any_tape_appears_once_at_every_cursor(script: list[Event]) -> None:
    with small_tables():
        both = told(script, [3], quiet)
        made = Handmade(both.timeline)
        transcript = Transcript(made.tape)
        for cursor in range(len(script) + 1):
            everything_once(made.tape, transcript, cursor)


ACTS: dict[str, Callable[[Handmade, int], object]] = {
    "human": lambda tape, _: tape.human(),
    "assistant": lambda tape, _: tape.assistant(),
    "call": lambda tape, some: tape.call(f"c{some}"),
    "calls": lambda tape, some: tape.call(f"c{some}", f"d{some}"),
    "bare call": lambda tape, some: tape.call(f"c{some}", rows=False),
    "side call": lambda tape, some: tape.call(f"s{some}", rows=False, side=True),
    "result": lambda tape, some: tape.result(f"c{some}"),
    "results": lambda tape, some: tape.result(f"c{some}", f"d{some}"),
    "code": lambda tape, some: tape.opens(
        SpanKind.CODE_DISPATCH, f"x{some}", Call(f"x{some}", "f", None, f"x{some - 1}")
    ),
    "coded": lambda tape, some: tape.closes(SpanKind.CODE_DISPATCH, f"x{some}"),
    "asked": lambda tape, some: tape.opens(SpanKind.APPROVAL, f"a{some}", about=f"c{some}"),
    "decided": lambda tape, some: tape.closes(SpanKind.APPROVAL, f"a{some}"),
    "workflow": lambda tape, some: tape.opens(SpanKind.WORKFLOW, f"w{some}"),
    "agent": lambda tape, some: tape.opens(SpanKind.WORKFLOW_AGENT, f"w{some}/1"),
    "worked": lambda tape, some: tape.closes(SpanKind.WORKFLOW, f"w{some}"),
    "subagent": lambda tape, some: tape.opens(SpanKind.SUBAGENT, f"n{some}"),
    "error": lambda tape, _: tape.error(),
    "compacts": lambda tape, some: tape.compacts(some),
    "rewinds": lambda tape, some: tape.rewinds(some),
    "nothing": lambda tape, _: tape.nothing(),
}

acts = st.lists(st.tuples(st.sampled_from(sorted(ACTS)), st.integers(0, 2)), max_size=30)


def written(acts_: list[tuple[str, int]], each: Callable[[Handmade], object]) -> Handmade:
    made = Handmade()
    for name, some in acts_:
        ACTS[name](made, some)
        each(made)
    return made


@given(acts)
@settings(max_examples=50, deadline=None)
def test_calls_and_all_that_is_within_them_appear_once(acts_: list[tuple[str, int]]) -> None:
    made = written(acts_, lambda _: None)
    transcript = Transcript(made.tape)
    for cursor in range(len(acts_) + 1):
        everything_once(made.tape, transcript, cursor)


@given(acts)
@settings(max_examples=50, deadline=None)
def test_looking_on_while_a_tape_grows_shows_the_same(acts_: list[tuple[str, int]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outline, "_CHUNK", 3)
        told_then: list[list[Entry]] = []
        growing: list[Transcript] = []

        def look(made: Handmade) -> None:
            if not growing:
                growing.append(Transcript(made.tape))
            told_then.append(growing[0].entries(made.timeline.events))

        made = written(acts_, look)
        after = Transcript(made.tape)
        assert told_then == [after.entries(cursor + 1) for cursor in range(len(acts_))]


@given(acts, st.integers(0, 3))
@settings(max_examples=50, deadline=None)
def test_a_compaction_changes_nothing_before_it(acts_: list[tuple[str, int]], keep: int) -> None:
    made = written(acts_, lambda _: None)
    before = seen(made.tape)
    made.compacts(keep)
    after = seen(made.tape)
    assert len(after) - len(before) in (0, 1)
    for then, now in zip(before, after, strict=False):
        if then.kind is not EntryKind.DIVIDER:
            assert now._replace(visibility=then.visibility, by=then.by) == then


@pytest.mark.parametrize(("name", "session"), EVERY)
def test_a_window_is_a_part_of_the_whole(name: str, session: str | None) -> None:
    with opened(name, session) as tape:
        transcript, head = Transcript(tape), tape.timeline.events
        whole = transcript.entries(head)
        for start in range(0, len(whole), 3):
            assert transcript.entries(head, start, start + 4) == whole[start : start + 4]
        assert transcript.entries(head, len(whole), len(whole) + 9) == []


def test_a_window_reads_no_more_than_itself() -> None:
    made = Handmade()
    for at in range(400):
        made.human()
        made.call(f"c{at}")
        made.result(f"c{at}")
    transcript = Transcript(made.tape)
    head = made.timeline.events
    assert transcript.count(head) == 800
    made.reads.clear()
    transcript.entries(head, 300, 310)
    assert len(made.reads) <= 20
    assert min(made.reads) >= 450
    assert max(made.reads) < 470


def test_a_long_tape_can_be_looked_at_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outline, "_CHUNK", 10)
    made = Handmade()
    for _ in range(25):
        made.human()
    transcript = Transcript(made.tape)
    assert [transcript.advance() for _ in range(4)] == [True, True, True, False]
    assert transcript.count(25) == 25


# Who spoke.


def test_injected_context_stands_apart_from_the_person() -> None:
    with opened("injected-context.jsonl") as tape:
        assert brief(tape) == [
            ("context", 4),
            ("context", 5),
            ("context", 6),
            ("human", 7),
            ("assistant", 10),
            ("context", 17),
            ("human", 18),
            ("assistant", 19),
        ]


def test_what_the_owner_hides_from_the_person_is_context() -> None:
    made = Handmade()
    made.row(Role.USER, Kind.MESSAGE, Said("psst"), details={"meta": True})
    made.row(Role.SYSTEM, Kind.MESSAGE, Said("You are"))
    made.row(Role.DEVELOPER, Kind.CONTEXT, Said("be brief"))
    assert [entry.kind for entry in seen(made.tape)] == [EntryKind.CONTEXT] * 3


def test_reasoning_goes_with_its_answer_or_stands_alone() -> None:
    made = Handmade()
    made.row(Role.ASSISTANT, Kind.MESSAGE, Thought("hm"), Said("yes"), Said("and no"))
    made.row(Role.ASSISTANT, Kind.REASONING, Thought("hm again"))
    first, second = seen(made.tape)
    assert (first.kind, first.text, first.thought) == (EntryKind.ASSISTANT, "yes\nand no", "hm")
    assert (second.kind, second.text, second.thought) == (EntryKind.REASONING, "hm again", "")


def test_files_are_named() -> None:
    made = Handmade()
    picture = File("a.png", "image/png", 7)
    made.row(Role.USER, Kind.MESSAGE, Said("look"), picture)
    assert seen(made.tape)[0].files == (picture,)


def test_an_answer_that_was_cut_off_says_so() -> None:
    with opened("interrupted.jsonl") as tape:
        found = {entry.event: entry for entry in seen(tape)}
        assert found[13].partial
        assert found[13].text.startswith("Certainly.")
        assert not found[21].partial


def test_an_error_is_an_entry_unless_it_is_the_end_of_a_call() -> None:
    made = Handmade()
    made.call("c")
    made.result("c", outcome=Outcome.FAILED)
    made.error()
    assert brief(made.tape) == [("card", 0), ("error", 2)]


# Calls.


def test_a_call_without_a_row_stands_within_the_answer_that_made_it() -> None:
    made = Handmade()
    made.human()
    made.assistant()
    made.call("c", rows=False)
    made.result("c")
    made.human()
    made.call("d", rows=False)
    entries = seen(made.tape)
    assert [(entry.kind.value, entry.event) for entry in entries] == [
        ("human", 0),
        ("assistant", 1),
        ("human", 4),
        ("card", 5),
    ]
    child = entries[1].children[0]
    assert child.events == (2, 3)
    assert child.card is not None
    assert child.card.result == "out of c"


def test_a_call_that_its_message_only_names_is_told_until_it_is_made() -> None:
    made = Handmade()
    made.opens(SpanKind.TURN, "1")
    made.row(Role.ASSISTANT, Kind.TOOL_CALL, Call("c", "bash", None))
    named = seen(made.tape)[0].children
    assert [child.card and child.card.ending.outcome for child in named] == [Outcome.RUNNING]
    made.call("c", rows=False)
    assert [child.event for child in seen(made.tape)[0].children] == [2]
    made.closes(SpanKind.TURN, "1")
    assert [child.event for child in seen(made.tape)[0].children] == [2]


def test_a_call_that_never_began_is_unknown_when_its_turn_is_over() -> None:
    made = Handmade()
    made.opens(SpanKind.TURN, "1")
    made.row(Role.ASSISTANT, Kind.TOOL_CALL, Call("c", "bash", None))
    made.closes(SpanKind.TURN, "1")
    (child,) = seen(made.tape)[0].children
    assert child.card is not None
    assert child.card.ending.outcome is Outcome.UNKNOWN


def test_several_calls_of_one_record_have_their_own_results() -> None:
    made = Handmade()
    made.call("c", "d")
    made.result("d")
    made.result("c", outcome=Outcome.FAILED)
    (entry,) = seen(made.tape)
    assert entry.events == (0, 1, 2)
    told = [
        (child.card.id, child.card.ending.outcome, child.card.result, child.card.answer)
        for child in entry.children
        if child.card is not None
    ]
    assert told == [
        ("c", Outcome.FAILED, "out of c", 2),
        ("d", Outcome.OK, "out of d", 1),
    ]


def test_a_result_that_nobody_asked_for_is_an_entry() -> None:
    made = Handmade()
    made.result("c")
    (entry,) = seen(made.tape)
    assert (entry.kind, entry.text) == (EntryKind.RESULT, "out of c")


def test_calls_within_a_call_stand_within_what_called_them() -> None:
    made = Handmade()
    made.call("c", tool="code")
    made.opens(SpanKind.CODE_DISPATCH, "x", Call("x", "check", None, "c"))
    made.opens(SpanKind.CODE_DISPATCH, "y", Call("y", "read", {"path": "a"}, "x"))
    made.closes(SpanKind.CODE_DISPATCH, "y", Result("y", "text", False))
    made.opens(SpanKind.CODE_DISPATCH, "z", Call("z", "read", None, "c"))
    (entry,) = seen(made.tape)
    assert [child.event for child in entry.children] == [1, 4]
    (inner,) = entry.children[0].children
    assert inner.card is not None
    assert (inner.card.title, inner.card.result) == ("a", "text")


def test_of_two_calls_at_once_the_one_named_holds_what_it_called() -> None:
    made = Handmade()
    made.call("c", tool="code")
    made.call("d", tool="code")
    made.opens(SpanKind.CODE_DISPATCH, "x", Call("x", "check", None, "c"))
    made.opens(SpanKind.CODE_DISPATCH, "y", Call("y", "check", None, "d:code:1"))
    assert [[child.event for child in entry.children] for entry in seen(made.tape)] == [[2], [3]]


def test_what_a_subagent_does_in_the_same_tape_stands_within_its_call() -> None:
    made = Handmade()
    event = made.call("t", tool="task")
    made.builder.open(SpanKind.SUBAGENT, "t")
    made.call("s", rows=False, side=True)
    (entry,) = seen(made.tape)
    assert (entry.event, [child.event for child in entry.children]) == (event, [1])


def test_a_call_with_too_many_calls_within_it_counts_the_rest() -> None:
    made = Handmade()
    made.call("c", tool="code")
    for at in range(CHILDREN + 7):
        made.opens(SpanKind.CODE_DISPATCH, f"x{at}", Call(f"x{at}", "f", None, "c"))
    (entry,) = seen(made.tape)
    assert (len(entry.children), entry.more) == (CHILDREN, 7)


def test_callers_that_call_each_other_are_both_there() -> None:
    made = Handmade()
    made.call("c", tool="code")
    made.opens(SpanKind.CODE_DISPATCH, "x", Call("x", "f", None, "y"))
    made.opens(SpanKind.CODE_DISPATCH, "y", Call("y", "f", None, "x"))
    made.opens(SpanKind.CODE_DISPATCH, "z", Call("z", "f", None, "z"))
    (entry,) = seen(made.tape)
    assert [child.event for child in walk(list(entry.children))] == [1, 2, 3]


def test_a_message_that_repeats_calls_told_before_is_no_second_card_of_them() -> None:
    with opened("deepchat.db", "sample-orchard") as tape:
        found = {entry.event: entry for entry in seen(tape)}
        assert found[6].card is not None
        assert (found[11].kind, found[11].children) == (EntryKind.ASSISTANT, ())


# Workflows, commands, questions.


def test_a_workflow_is_one_entry_with_its_agents() -> None:
    with opened("activities.jsonl") as tape:
        (run,) = [entry for entry in seen(tape) if entry.kind is EntryKind.WORKFLOW]
        assert run.ending is not None
        assert run.ending.outcome is Outcome.FAILED
        assert [(child.kind, child.ending and child.ending.outcome) for child in run.children] == [
            (EntryKind.AGENT, Outcome.OK),
            (EntryKind.AGENT, Outcome.FAILED),
        ]
        (then,) = [entry for entry in seen(tape, 103) if entry.kind is EntryKind.WORKFLOW]
        assert then.ending is not None
        assert then.ending.outcome is Outcome.RUNNING


def test_agents_of_two_workflows_stand_within_their_own() -> None:
    made = Handmade()
    made.opens(SpanKind.WORKFLOW, "a")
    made.opens(SpanKind.WORKFLOW, "b")
    made.opens(SpanKind.WORKFLOW_AGENT, "a/1")
    made.opens(SpanKind.WORKFLOW_AGENT, "b/1")
    assert [[child.event for child in entry.children] for entry in seen(made.tape)] == [[2], [3]]


def test_a_question_about_no_call_is_an_entry() -> None:
    made = Handmade()
    made.opens(SpanKind.APPROVAL, "a")
    made.call("c")
    made.opens(SpanKind.APPROVAL, "b", about="c")
    found = seen(made.tape)
    assert [(entry.kind.value, entry.event) for entry in found] == [("approval", 0), ("card", 1)]
    assert found[1].card is not None
    assert found[1].card.ending.outcome is Outcome.AWAITING_APPROVAL


# Dividers, and what was taken back.


def test_a_compaction_is_a_divider_that_tells_what_the_model_has_left() -> None:
    made = Handmade()
    for _ in range(3):
        made.human()
    made.compacts(keep=1)
    entry = seen(made.tape)[-1]
    assert entry.divider is not None
    assert (entry.divider.what, entry.divider.rows, entry.divider.tokens) == (
        "compaction",
        (3, 2),
        (30, 15),
    )
    assert entry.text == "a summary"
    assert [one.visibility for one in seen(made.tape)[:3]] == [
        Visibility.SHADOWED,
        Visibility.SHADOWED,
        Visibility.VISIBLE,
    ]
    assert all(one.gone_by is None for one in seen(made.tape))


def test_results_that_are_cut_together_are_one_divider_and_stay_whole_in_their_cards() -> None:
    made = Handmade()
    for name in "cd":
        made.call(name)
        made.result(name)
    made.prunes(1)
    made.prunes(3)
    *found, last = seen(made.tape)
    assert (last.kind, last.events) == (EntryKind.DIVIDER, (4, 5))
    assert last.divider is not None
    assert last.divider.what == "prune"
    assert [entry.card and entry.card.result for entry in found] == ["out of c", "out of d"]


def test_the_summary_behind_a_boundary_is_one_divider_with_it() -> None:
    name, session = TAPES[4]
    with opened(name, session) as tape:
        (found,) = [entry for entry in seen(tape) if entry.event == 19]
        assert found.events == (19, 20)
        assert found.text.startswith("This session is being continued")


def test_what_was_rewound_is_marked_and_stays_in_its_place() -> None:
    made = Handmade()
    made.human("one")
    made.human("two")
    made.assistant()
    rewound = made.rewinds(1)
    made.human("three")
    assert [(entry.event, entry.gone_by) for entry in seen(made.tape)] == [
        (0, None),
        (1, rewound),
        (2, rewound),
        (4, None),
    ]
    assert [entry.gone_by for entry in seen(made.tape, rewound)] == [None, None, None]


def test_what_a_compaction_hid_leaves_with_the_message_that_it_answered() -> None:
    with opened(*TAPES[5]) as tape:
        found = {entry.event: entry for entry in seen(tape)}
        assert (found[19].gone_by, found[19].visibility) == (57, Visibility.REWOUND)
        assert (found[27].gone_by, found[27].visibility) == (57, Visibility.REWOUND)
        assert found[7].gone_by is None
        then = {entry.event: entry for entry in seen(tape, 57)}
        assert then[27].gone_by is None


def test_what_was_edited_or_retracted_is_not_seen_any_more() -> None:
    with opened("deepchat.db", "sample-orchard") as tape:
        found = {entry.event: (entry.visibility, entry.gone_by) for entry in seen(tape)}
        assert found[13] == (Visibility.SUPERSEDED, 14)
        assert found[15] == (Visibility.RETRACTED, 16)
        assert found[14][1] is None


def test_marks_of_compactions_all_become_dividers() -> None:
    for name, session in TAPES:
        with opened(name, session) as tape:
            marks = set(tape.timeline.marks.events(Mark.COMPACTION))
            dividers = {
                event
                for entry in seen(tape)
                if entry.kind is EntryKind.DIVIDER
                for event in entry.events
            }
            assert marks <= dividers


def test_a_workflow_that_a_call_runs_is_one_entry_with_it() -> None:
    with opened("demo.jsonl") as tape:
        made = [entry for entry in walk(seen(tape)) if entry.event == 395]
        (run,) = made
        assert run.card is not None
        assert run.ending is not None
        assert (run.kind, run.card.name, run.ending.word) == (
            EntryKind.CARD,
            "workflow",
            "completed",
        )
        assert [(child.kind, child.event) for child in run.children] == [
            (EntryKind.AGENT, 397),
            (EntryKind.AGENT, 398),
        ]
        assert not [entry for entry in walk(seen(tape)) if entry.kind is EntryKind.WORKFLOW]


def test_a_second_workflow_of_a_call_stands_for_itself() -> None:
    made = Handmade()
    made.call("c", rows=False, tool="workflow")
    made.opens(SpanKind.WORKFLOW, "a")
    made.opens(SpanKind.WORKFLOW, "b")
    assert [(entry.kind.value, entry.event) for entry in seen(made.tape)] == [
        ("card", 0),
        ("workflow", 2),
    ]


# What is being written.


def test_an_answer_is_seen_while_it_is_written() -> None:
    with opened("demo.jsonl") as tape:
        said = [seen(tape, cursor)[-1] for cursor in (20, 25, 30)]
        assert [(entry.kind, entry.event, entry.writing) for entry in said] == [
            (EntryKind.ASSISTANT, 12, True)
        ] * 3
        thinks, speaks, calls = said
        assert thinks.thought.startswith("The rules are clear")
        assert not thinks.text
        assert speaks.text.startswith("I will start with the tests,")
        (child,) = calls.children
        assert child.card is not None
        assert (child.card.title, child.card.ending.word) == ('{"path": "te', "being written")
        assert not any(entry.writing for entry in seen(tape, 54))


def test_what_is_being_written_is_counted_and_has_its_place() -> None:
    with opened("demo.jsonl") as tape:
        transcript = Transcript(tape)
        last = transcript.count(30) - 1
        assert [entry.writing for entry in transcript.entries(30, last)] == [True]
        assert transcript.place(20, 30) == last
        assert transcript.place(20, 12) is None
