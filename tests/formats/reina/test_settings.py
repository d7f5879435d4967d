"""The model, the todo list, and what providers report."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.timeline.spending import spending
from tests.formats.reina.sessions import (
    codes,
    log,
    messages,
    meta,
    session,
    user,
    value,
    written,
)


def test_the_model_is_frozen_in_the_header(tmp_path: Path) -> None:
    tape = session(log(user()), tmp_path)
    assert [value(tape, "model", cursor) for cursor in (0, 1)] == ["demo", "demo"]


@pytest.mark.parametrize("key", ["config", "record", None])
def test_a_config_replaces_the_setting_as_a_whole(tmp_path: Path, key: str | None) -> None:
    first = {"id": "one", "baseUrl": "https://one.invalid"}
    held: dict[str, Any] = {"model": {"id": "two"}}
    config = {"type": "config", **(held if key is None else {key: held})}
    tape = session(written([meta(model=first), user(), config]), tmp_path)
    assert value(tape, "model", 1) == "one"
    assert "baseUrl" in value(tape, "model setting", 1)
    assert value(tape, "model", 2) == "two"
    # Both are the text of what is set there.
    assert value(tape, "model setting", 2) == '{"id":"two"}'


def test_a_name_alone_leaves_nothing_of_the_setting_before(tmp_path: Path) -> None:
    configs = [
        {"type": "config", "config": {"model": {"name": "two", "baseUrl": "x"}}},
        {"type": "config", "config": {"model": "three"}},
    ]
    tape = session(log(*configs), tmp_path)
    assert value(tape, "model", 1) == "two"
    assert value(tape, "model") == "three"
    assert value(tape, "model setting") is None


def test_a_config_without_a_model_leaves_it(tmp_path: Path) -> None:
    tape = session(log({"type": "config", "config": {"theme": "dark"}}), tmp_path)
    assert value(tape, "model") == "demo"
    assert codes(tape) == []


def test_the_todo_list_is_the_last_one(tmp_path: Path) -> None:
    steps = [{"content": "a", "status": "completed"}]
    tape = session(log({"type": "todos", "todos": []}, {"type": "todos", "todos": steps}), tmp_path)
    assert value(tape, "todo", 1) == []
    assert value(tape, "todo") == steps


def test_usage_is_counted_with_what_came_from_a_cache(tmp_path: Path) -> None:
    told = {"prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107}
    cached = {"prompt_tokens_details": {"cached_tokens": 60}}
    tape = session(log(user(), {"type": "usage", "usage": {**told, **cached}}), tmp_path)
    usage = tape.timeline.usage.last(2)
    assert usage is not None
    assert (usage.input, usage.cache_read, usage.output, usage.context) == (40, 60, 7, 100)
    assert spending(tape.timeline, 2) is not None


def test_a_total_alone_is_the_prompt_and_the_answer(tmp_path: Path) -> None:
    told = {"total_tokens": 107, "completion_tokens": 7}
    tape = session(log({"type": "usage", "usage": told}), tmp_path)
    usage = tape.timeline.usage.last(1)
    assert usage is not None
    assert (usage.context, usage.output) == (100, 7)


def test_figures_that_are_none_are_told(tmp_path: Path) -> None:
    tape = session(log({"type": "usage", "usage": {"prompt_tokens": "many"}}), tmp_path)
    assert codes(tape) == ["unreadable-usage"]
    assert tape.timeline.usage.last(1) is None


def test_the_owner_compacts_at_three_quarters_of_the_window(tmp_path: Path) -> None:
    rule = session(log(), tmp_path).compaction_rule
    assert rule.threshold(128_000) == 96_000
    assert rule.answers
    assert not rule.beyond


@pytest.mark.parametrize(
    ("setting", "told"),
    [(["l"], '["l"]'), ("", '""'), (7, "7"), ({}, "{}"), ({"id": 1}, '{"id":1}')],
)
def test_a_model_without_a_name_is_told_and_kept_as_it_is_written(
    tmp_path: Path, setting: Any, told: str
) -> None:
    config = {"type": "config", "config": {"model": setting}}
    tape = session(log(user(), config), tmp_path)
    assert value(tape, "model") == told
    assert messages(tape, "unreadable-model") == [f"a model without a name: {told}"]
    # In a header too, and in one behind it.
    tape = session(written([meta(model=setting), user()]), tmp_path)
    assert (value(tape, "model"), codes(tape)) == (told, ["unreadable-model"])
    tape = session(log(meta(model=setting)), tmp_path)
    assert (value(tape, "model"), codes(tape)) == (told, ["unreadable-model", "repeated-header"])


def test_a_long_model_without_a_name_is_read_again_in_full(tmp_path: Path) -> None:
    setting = ["x" * 500]
    tape = session(log({"type": "config", "config": {"model": setting}}), tmp_path)
    assert value(tape, "model") == json.dumps(setting)


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"config": {"model": None}}, "the model is set to null"),
        ({"model": None}, "the model is set to null"),
        ({"config": "zz"}, 'settings that are no object: "zz"'),
        ({"record": None}, "settings that are no object: null"),
    ],
)
def test_settings_that_set_nothing_are_told_and_leave_what_is_set(
    tmp_path: Path, config: dict[str, Any], message: str
) -> None:
    tape = session(log(user(), {"type": "config", **config}), tmp_path)
    assert value(tape, "model") == "demo"
    assert messages(tape, "unreadable-config") == [message]
