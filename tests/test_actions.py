import ast
import inspect
import re
from collections import Counter

import pytest

from inspector.actions import (
    ACTIONS,
    BOOKMARK_LAYER,
    LAYER,
    LEADING_LAYER,
    LIBRARY_SCREEN,
    PLAN_LAYER,
    Action,
    by_group,
    named,
)
from inspector.inspection import Stop
from inspector.ui.app import InspectorApp
from inspector.ui.leading import LeadingLayer
from inspector.ui.lenses.bookmarks import BookmarkLayer
from inspector.ui.library.screen import LibraryScreen
from inspector.ui.plans.screen import PlanScreen
from inspector.ui.screen import MainScreen

EVERY = (*ACTIONS, *LAYER, *LEADING_LAYER, *BOOKMARK_LAYER, *PLAN_LAYER, *LIBRARY_SCREEN)

_PLACES: dict[type, tuple[Action, ...]] = {
    MainScreen: ACTIONS,
    LeadingLayer: LEADING_LAYER,
    BookmarkLayer: (*LAYER, *BOOKMARK_LAYER),
    PlanScreen: PLAN_LAYER,
    LibraryScreen: LIBRARY_SCREEN,
}

each = pytest.mark.parametrize("action", EVERY, ids=[action.id for action in EVERY])
each_place = pytest.mark.parametrize(
    "actions",
    [ACTIONS, (*LAYER, *LEADING_LAYER, *BOOKMARK_LAYER), PLAN_LAYER, LIBRARY_SCREEN],
    ids=["screen", "report", "plan", "library"],
)


def parts(action: Action) -> tuple[type, str, tuple[object, ...]]:
    """Whose method a call names, the method, and its arguments; as Textual reads it."""
    found = re.fullmatch(r"(?:(app)\.)?(\w+)(\(.*\))?", action.call)
    assert found is not None, action.call
    owner, name, arguments = found.groups()
    values = ast.literal_eval(arguments[:-1] + ",)") if arguments else ()
    place = next(place for place, its in _PLACES.items() if action in its)
    return (InspectorApp if owner else place), f"action_{name}", values


def test_no_two_actions_have_one_id() -> None:
    assert [id_ for id_, times in Counter(action.id for action in EVERY).items() if times > 1] == []


@each_place
def test_no_two_actions_of_a_place_share_a_key(actions: tuple[Action, ...]) -> None:
    keys = Counter(key for action in actions for key in action.key_names)
    assert [key for key, times in keys.items() if times > 1] == []


@each_place
def test_no_two_actions_of_a_place_have_one_label(actions: tuple[Action, ...]) -> None:
    labels = Counter(action.label for action in actions)
    assert [label for label, times in labels.items() if times > 1] == []


def test_digits_are_left_for_counts() -> None:
    keys = {key for action in EVERY for key in action.key_names}
    assert not keys & {*"0123456789", "percent_sign"}


@each
def test_a_call_names_a_method_where_textual_looks_for_it(action: Action) -> None:
    owner, name, arguments = parts(action)
    method = getattr(owner, name, None)
    assert callable(method), f"{owner.__name__} has no {name}"
    inspect.signature(method).bind(None, *arguments)


@each
def test_an_action_can_be_read(action: Action) -> None:
    assert re.fullmatch(r"[a-z]+(\.[a-z]+)+", action.id)
    assert action.label
    assert action.label[0].islower()
    assert not action.label.endswith(".")
    assert "," not in action.shown_keys
    assert "_" not in action.shown_keys


def test_only_what_is_called_by_its_name_has_no_key() -> None:
    assert [action.id for action in EVERY if not action.key_names] == [
        "policy.next",
        "find.list",
    ]
    assert [action.id for action in EVERY if named(action.id) is not action] == [
        action.id
        for action in (*LAYER, *LEADING_LAYER, *BOOKMARK_LAYER, *PLAN_LAYER, *LIBRARY_SCREEN)
    ]


@pytest.mark.parametrize("stop", Stop)
def test_one_can_step_both_ways_to_every_class_of_places(stop: Stop) -> None:
    calls = {action.call for action in ACTIONS}
    assert {f"step('{stop.name}', 1)", f"step('{stop.name}', -1)"} <= calls


def test_help_lists_every_action_once_and_in_order() -> None:
    groups = by_group()
    assert [action for actions in groups.values() for action in actions] == [*EVERY]
    groups_in_order = ["Cursor", "List", "Look", "Find", "Plan", "Program"]
    assert list(groups) == [*groups_in_order, "In a report", "In a plan", "In the library"]


@pytest.mark.parametrize(
    ("keys", "shown"),
    [
        ("l,right", "l →"),
        ("right_curly_bracket,shift+right", "} Shift+→"),
        ("G,end", "G End"),
        ("question_mark,f1", "? F1"),
        ("ctrl+q", "Ctrl+Q"),
        ("space", "Space"),
        ("", ""),
    ],
)
def test_keys_are_shown_as_a_person_reads_them(keys: str, shown: str) -> None:
    assert Action("a.b", "x", keys, "label", "Cursor").shown_keys == shown


def test_the_footer_names_only_actions_that_there_are() -> None:
    shown = [action for action in ACTIONS if action.footer]
    assert shown
    assert len({action.footer for action in shown}) == len(shown)
