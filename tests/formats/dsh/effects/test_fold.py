from collections.abc import Iterable
from typing import Any, Final

from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.formats.dsh.content import CHECKS
from inspector.formats.dsh.effects.fold import Fold
from inspector.formats.dsh.effects.registers import value_of
from inspector.formats.dsh.vocabulary import ELIGIBLE, LATER_WORDS, WORDS
from inspector.formats.shapes import items, mapping, text
from inspector.timeline.builder import Builder
from inspector.timeline.registers import IN_PAYLOAD
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Life, SpanKind
from tests.dsh_tapes import Json
from tests.formats.dsh.told import NEW_LIFE, Facts, Telling, Told, user

FOLD: Final = Fold(Builder(Timeline()))
TYPES: Final = sorted([*FOLD.handlers, *FOLD.shapers])
WITHOUT_EFFECT: Final = {"session/title-llm-request", "web/deepseek-search-llm-request"}

KEYS: Final = """
    active afterSeconds agentPreset blockedReason chunk cleared code commandId compactionId config
    content contextWindow data decision delayMs error exitCode failure goal handlerId header id
    inserted isError kind maxRetries member message messageId mode name objective operation outcome
    phase point policy preset prompt provider reason removedCount role runId schedule seq source
    start status step stopReason stream subCallId subject target targetId task teamId text title
    todos turn type usage
"""
MEANINGS: Final = """
    next-turn next-step create delete dispatch clear complete block resume provisioning active
    failed pending completed deleted error success finish aborted CONTEXT_WINDOW_EXCEEDED user
    compact plugin tool-call every allowed-once
"""
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from((-1, 0, 1, 2, 2**53, 10**30, 1.5, float("inf"), "\ud800", "", "x" * 300)),
    st.sampled_from(MEANINGS.split()),
)
keys = st.sampled_from(KEYS.split())
shallow = st.one_of(
    scalars, st.lists(scalars, max_size=2), st.dictionaries(keys, scalars, max_size=5)
)
values = st.one_of(
    shallow, st.lists(shallow, max_size=2), st.dictionaries(keys, shallow, max_size=4)
)
objects = st.dictionaries(keys, values, max_size=12)


def test_every_type_has_its_effect_or_none_on_purpose() -> None:
    assert WORDS.keys() - FOLD.handlers.keys() - FOLD.shapers.keys() == WITHOUT_EFFECT
    assert FOLD.shapers.keys() == ELIGIBLE | {"system/message", "developer/message"}
    later = {name for words in LATER_WORDS.values() for name in words}
    assert FOLD.handlers.keys() | FOLD.shapers.keys() <= WORDS.keys() | later


SOURCES: Final[dict[str, Json]] = {
    "assistant/message": {"kind": "model", "provider": "p", "model": "m"},
    "tool/result": {"kind": "tool", "callId": "c"},
}


def sound(kind: str, data: Json) -> Told:
    """An event whose message its check lets pass, with whatever else was drawn."""
    if kind not in FOLD.shapers:
        return kind, data
    content = items(data.get("content"))
    if kind == "tool/result":
        block = {"type": "tool-result", "toolCallId": "c", "content": content}
        content = [mapping(data.get("content")) | block]
    role = "user" if kind == "tool/result" else kind.split("/", maxsplit=1)[0]
    named = {"id": "m", "role": role, "content": content}
    source = {"kind": "user"} | mapping(data.get("source"))
    if not text(source["kind"]):
        source["kind"] = "plugin"
    message = data | named | {"source": SOURCES.get(kind, source)}
    data = message if kind == "user/message" else data | {"message": message}
    assert CHECKS[kind](data) is None
    return kind, data


@given(objects)
@settings(derandomize=True, deadline=None, max_examples=30)
def test_data_of_any_shape_is_folded_by_every_type(data: Json) -> None:
    told = Telling([sound(name, data) for name in TYPES])
    read_everything(told, range(0, len(TYPES) + 1, 10))


@given(st.lists(st.tuples(st.sampled_from(TYPES), objects), max_size=6))
@settings(derandomize=True, deadline=None, max_examples=20)
def test_events_in_any_order_are_folded(script: list[Told]) -> None:
    told = Telling([sound(*event) for event in script])
    read_everything(told, range(len(script) + 1))


def read_everything(told: Telling, cursors: Iterable[int]) -> None:
    """What every cursor says; a list of a register is one of short lines."""
    timeline = told.timeline
    for cursor in cursors:
        for name, setting in timeline.registers.state(cursor).items():
            value = setting.value
            assert value is IN_PAYLOAD or not isinstance(value, str) or len(value) <= 200
            if isinstance(value, tuple):
                assert all(len(line) <= 80 for line in value)
                assert len(value) <= 14
            told.value(name, cursor)
        for kind in SpanKind:
            assert all(span.closed is None for span in timeline.spans[kind].open_at(cursor))


@given(st.sampled_from(("title", "goal", "subagent", "model", "todo", "nobody knows")), values)
@settings(derandomize=True, deadline=None, max_examples=30)
def test_a_value_is_read_from_a_payload_of_any_shape(register: str, data: Any) -> None:
    value_of(register, {"data": data})
    assert value_of("nobody knows", {"data": data}) is None


# Registers.


def test_a_header_tells_what_is_so_before_the_first_event() -> None:
    told = Telling(
        [("agent-preset/selected", {"agentPreset": "code"})],
        Facts(delegation_depth=1, origin="subagent", preset="standard"),
    )
    state = told.timeline.registers.state(0)
    assert {name: setting[:] for name, setting in state.items()} == {
        "delegation depth": (1, 0, -1),
        "origin": ("subagent", 0, -1),
        "preset": ("standard", 0, -1),
    }
    assert told.value("preset") == "code"


def test_a_header_that_says_nothing_sets_nothing() -> None:
    assert Telling([], Facts()).timeline.registers.state(0) == {}


def test_a_source_is_taken_back_where_the_event_leaves_it_out() -> None:
    policy = "approval/policy"
    told = Telling(
        [
            (policy, {"policy": "ask"}),
            (policy, {"policy": "never", "source": "delegation"}),
            (policy, {"policy": "ask"}),
            ("sandbox/mode", {"mode": "read-only", "source": "delegation"}),
            ("permission/preset", {"preset": "auto"}),
        ]
    )
    assert told.values("approval policy") == ["ask", "never", "ask", "ask", "ask"]
    assert told.values("approval policy source") == ["-", "delegation", None, None, None]
    assert told.value("sandbox mode source") == "delegation"
    assert told.value("permission preset") == "auto"


def test_a_long_text_is_read_from_its_event() -> None:
    told = Telling([("session/title", {"title": "x" * 5_000}), ("feedback/record", {"text": "ok"})])
    setting = told.timeline.registers.at("title", 1)
    assert setting is not None
    assert setting.value is IN_PAYLOAD
    assert (told.value("title"), told.value("feedback")) == ("x" * 5_000, "ok")


def test_reasoning_effort_goes_when_a_request_leaves_it_out() -> None:
    config = {"provider": "p", "model": "m"}
    told = Telling(
        [
            ("request/header", {"header": {"config": config}}),
            ("request/header", {"header": {"config": config | {"reasoningEffort": "high"}}}),
            ("request/header", {"header": {"config": config}}),
        ]
    )
    assert told.values("reasoning effort") == ["-", "high", None]


def test_a_subagent_says_as_what_it_runs() -> None:
    told = Telling([("subagent/descriptor", {"version": 2, "mode": "one-shot", "label": "x"})])
    assert told.value("subagent") == {"mode": "one-shot", "label": "x"}


# Lives.


def lives(told: Telling, cursor: int) -> str:
    return "".join(told.timeline.life(event, cursor).label[0] for event in range(cursor))


def test_a_fork_that_was_resumed() -> None:
    events = [user(), user(), NEW_LIFE, user(), NEW_LIFE, user()]
    told = Telling(events, Facts(seed_length=2))
    assert lives(told, 6) == "iieett"
    assert lives(told, 4) == "iitt"
    assert told.timeline.life(0, 6) is Life.INHERITED


def test_a_prefix_that_ended_with_a_resume_of_the_parent() -> None:
    told = Telling([user(), NEW_LIFE, user()], Facts(seed_length=2))
    assert lives(told, 3) == "iit"


def test_later_versions_tell_of_the_boundary_in_the_log() -> None:
    inherited: Told = ("session/end-seed", {"inherited": True})
    events = [user(), inherited, user(), NEW_LIFE, user()]
    assert lives(Telling(events, Facts(seeded=True)), 5) == "ieett"
    assert lives(Telling(events, Facts()), 5) == "eeett", (
        "a log that is not seeded inherits nothing"
    )
