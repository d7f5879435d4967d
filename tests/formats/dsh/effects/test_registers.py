from pathlib import Path
from typing import Any

import pytest

from inspector.formats.contract import PreamblePart, Tape
from tests.dsh_tapes import Json, Log, folded


def state(tape: Tape, cursor: int | None = None) -> dict[str, tuple[Any, int]]:
    """Name to value and since of what events set, at the head unless told."""
    timeline = tape.timeline
    settings = timeline.registers.state(timeline.events if cursor is None else cursor)
    return {
        name: (tape.value(name, setting), setting.since)
        for name, setting in settings.items()
        if setting.since
    }


def header(model: str = "flash", provider: str = "deepseek", **more: Any) -> Json:
    config = {"provider": provider, "model": model, "reasoningEffort": "high"}
    return {"header": {"config": config, **more}, "reason": "initial"}


def request(log: Log, model: str = "flash", provider: str = "deepseek", **more: Any) -> int:
    return log.event("request/context", {"provider": provider, "model": model, **more})


def test_nothing_is_set_before_it_is_told(tmp_path: Path) -> None:
    log = Log()
    log.user()
    log.event("session/title", {"title": "one"})
    tape = folded(log, tmp_path)
    assert state(tape, 0) == state(tape, 1) == {}
    assert state(tape, 2) == {"title": ("one", 2)}


def test_the_last_title_counts(tmp_path: Path) -> None:
    log = Log()
    for title in ("one", "two", "two", "one"):
        log.event("session/title", {"title": title, "source": {"kind": "fallback"}})
    tape = folded(log, tmp_path)
    assert [state(tape, cursor)["title"] for cursor in (1, 2, 3, 4)] == [
        ("one", 1),
        ("two", 2),
        ("two", 2),
        ("one", 4),
    ]


@pytest.mark.parametrize("title", [None, 7, ["x"], {"a": 1}])
def test_a_title_that_is_no_text_changes_nothing(title: Any, tmp_path: Path) -> None:
    log = Log()
    log.event("session/title", {"title": "one"})
    log.event("session/title", {"title": title})
    assert state(folded(log, tmp_path)) == {"title": ("one", 1)}


def test_model_provider_and_window_come_from_the_request_context(tmp_path: Path) -> None:
    log = Log()
    request(log, contextWindow=131072)
    request(log, "pro")
    request(log, "pro", "other", contextWindow=1000)
    tape = folded(log, tmp_path)
    assert state(tape, 1) == {
        "model": ("flash", 1),
        "provider": ("deepseek", 1),
        "window": (131072, 1),
    }
    assert state(tape, 2) == {
        "model": ("pro", 2),
        "provider": ("deepseek", 1),
        "window": (131072, 1),
    }
    assert state(tape, 3) == {"model": ("pro", 2), "provider": ("other", 3), "window": (1000, 3)}


@pytest.mark.parametrize("window", [None, -1, "1000", 1.5, True])
def test_a_window_that_is_no_number_of_tokens_is_not_set(window: Any, tmp_path: Path) -> None:
    log = Log()
    request(log, contextWindow=1000)
    request(log, contextWindow=window)
    assert state(folded(log, tmp_path))["window"] == (1000, 1)


@pytest.mark.parametrize("model", [None, 7, "", []])
def test_a_model_that_is_no_name_changes_nothing(model: Any, tmp_path: Path) -> None:
    log = Log()
    request(log)
    request(log, model)
    assert state(folded(log, tmp_path))["model"] == ("flash", 1)


def test_a_request_header_tells_model_provider_and_preamble(tmp_path: Path) -> None:
    log = Log()
    log.user()
    log.event("request/header", header(system="You are.", tools=[]))
    tape = folded(log, tmp_path)
    found = state(tape)
    assert (found["model"], found["provider"]) == (("flash", 2), ("deepseek", 2))
    value, since = found["preamble"]
    assert (value["system"], since) == ("You are.", 2)


def test_the_todo_list_is_read_from_its_event(tmp_path: Path) -> None:
    log = Log()
    first = [{"content": "test", "status": "pending"}]
    log.event("todo/write", {"todos": first})
    log.event("todo/write", {"todos": []})
    log.event("todo/write", {"todos": []})
    tape = folded(log, tmp_path)
    assert [state(tape, cursor)["todo"] for cursor in (1, 2, 3)] == [
        (first, 1),
        ([], 2),
        ([], 3),
    ]


@pytest.mark.parametrize("data", [{}, {"todos": None}, {"todos": {"content": "x"}}])
def test_a_todo_list_that_is_none_changes_nothing(data: Any, tmp_path: Path) -> None:
    log = Log()
    log.event("todo/write", {"todos": ["one"]})
    log.event("todo/write", data)
    assert state(folded(log, tmp_path)) == {"todo": (["one"], 1)}


def test_a_rejected_event_sets_nothing(tmp_path: Path) -> None:
    log = Log()
    log.event("session/title", {"title": "one"}, more=1)
    log.event("request/context", {"model": "m"}, surfaceOp="append")
    log.event("todo/write", {"todos": []}, sourceEventSeqs=[0])
    assert state(folded(log, tmp_path)) == {}


@pytest.mark.parametrize(
    "kind", ["session/title", "request/header", "request/context", "todo/write"]
)
@pytest.mark.parametrize("data", [None, 7, "x", [], [{}]])
def test_data_that_is_no_object_sets_nothing(kind: str, data: Any, tmp_path: Path) -> None:
    log = Log()
    log.event(kind, data)
    assert state(folded(log, tmp_path)) == {}


# The preamble.


def test_no_preamble_before_the_first_request(tmp_path: Path) -> None:
    log = Log()
    log.user()
    log.event("request/header", header(system="You are."))
    tape = folded(log, tmp_path)
    assert tape.preamble(1) == []
    assert tape.preamble(2) == [PreamblePart("system", 1, 2, "You are.", "You are.")]


def test_system_and_tools_with_their_tokens(tmp_path: Path) -> None:
    log = Log()
    tools = [{"name": "bash", "description": "run"}, {"name": "read"}]
    log.event("request/header", header(system="x" * 1000, tools=tools))
    tape = folded(log, tmp_path)
    text = '[{"name":"bash","description":"run"},{"name":"read"}]'
    assert tape.preamble(1) == [
        PreamblePart("system", 0, 250, "x" * 400, "x" * 1000),
        PreamblePart("tools", 0, (len(text) + 3) // 4, "bash, read", text),
    ]


def test_the_last_request_header_counts(tmp_path: Path) -> None:
    log = Log()
    log.event("request/header", header(system="one"))
    log.event("request/header", header(tools=[{"name": "t"}]))
    tape = folded(log, tmp_path)
    assert [part.part for part in tape.preamble(1)] == ["system"]
    assert [(part.part, part.event) for part in tape.preamble(2)] == [("tools", 1)]


@pytest.mark.parametrize("system", [None, 7, ["a"], {"type": "text", "text": "You are."}])
@pytest.mark.parametrize("tools", [None, "bash", [None, 7, "bash", {"name": 7}], {"a": 1}])
def test_a_preamble_of_any_shape_is_shown_somehow(system: Any, tools: Any, tmp_path: Path) -> None:
    log = Log()
    log.event("request/header", header(system=system, tools=tools))
    parts = folded(log, tmp_path).preamble(1)
    assert [part.part for part in parts] in (["system"], ["system", "tools"])
    assert parts[0].tokens == (len(parts[0].preview) + 3) // 4


@pytest.mark.parametrize("data", [{}, {"header": None}, {"header": []}, {"header": {}}])
def test_a_request_header_without_a_preamble_has_none(data: Any, tmp_path: Path) -> None:
    log = Log()
    log.event("request/header", data)
    assert folded(log, tmp_path).preamble(1) == []
