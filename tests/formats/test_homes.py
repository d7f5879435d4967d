"""Where agents keep things: variables, the person's folder, and what is neither."""

from pathlib import Path

import pytest

from inspector.formats.homes import folder_of
from inspector.formats.listing import Root, Surroundings
from tests.glances import FORMATS

HOME = Path("/home/ada")
WORK = Path("/work/demo")


def around(platform: str = "linux", home: str = str(HOME), **environment: str) -> Surroundings:
    return Surroundings({"HOME": home, **environment}, WORK, platform)


def roots(name: str, surroundings: Surroundings) -> list[tuple[str, str | None]]:
    found = FORMATS[name].roots(surroundings)
    assert all(isinstance(root, Root) and root.owner == name for root in found)
    return [(str(root.path), root.said_by) for root in found]


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ("/data/x", Path("/data/x")),
        ("rel/x", WORK / "rel/x"),
        ("~/x", HOME / "x"),
        ("~", HOME),
        ("~bob/x", WORK / "~bob/x"),
        ("", None),
        ("a\0b", None),
    ],
)
def test_a_variable_names_a_folder(value: str, wanted: Path | None) -> None:
    assert folder_of(around(SOME=value), "SOME") == wanted


def test_a_variable_that_is_not_set_names_none() -> None:
    assert folder_of(around(), "SOME") is None


AGENTS = [
    ("claude", "CLAUDE_CONFIG_DIR", ["projects"], ".claude"),
    ("codex", "CODEX_HOME", ["sessions", "archived_sessions"], ".codex"),
    ("zero", "XDG_DATA_HOME", ["zero/sessions"], ".local/share"),
    ("pi", "PI_CODING_AGENT_DIR", ["sessions"], ".pi/agent"),
]


@pytest.mark.parametrize(("name", "variable", "within", "own"), AGENTS)
def test_the_folder_that_a_variable_names_comes_before_the_agents_own(
    name: str, variable: str, within: list[str], own: str
) -> None:
    mine = [(f"/home/ada/{own}/{root}", None) for root in within]
    assert roots(name, around()) == mine
    said = [(f"/data/{root}", variable) for root in within]
    assert roots(name, around(**{variable: "/data"})) == [*said, *mine]
    assert roots(name, around(**{variable: ""})) == mine


@pytest.mark.parametrize(("name", "variable", "within", "own"), AGENTS)
def test_a_folder_is_named_once_and_none_without_a_home(
    name: str, variable: str, within: list[str], own: str
) -> None:
    same = around(**{variable: f"/home/ada/{own}"})
    assert roots(name, same) == [(f"/home/ada/{own}/{root}", variable) for root in within]
    assert roots(name, around(home="")) == []
    assert roots(name, around(home="relative")) == []


def test_dsh_also_looks_where_its_examples_and_a_tool_keep_sessions() -> None:
    assert roots("dsh", around()) == [
        ("/home/ada/.dsh/sessions", None),
        ("/work/demo/.sessions", None),
        ("/home/ada/.dsh-cc/sessions.sqlite", None),
    ]
    told = roots("dsh", around(DSH_HOME="/data/dsh", DSH_SESSION_ROOT="kept"))
    assert told[0] == ("/data/dsh/sessions", "DSH_HOME")
    assert ("/work/demo/kept", "DSH_SESSION_ROOT") in told


@pytest.mark.parametrize(
    ("platform", "environment", "wanted"),
    [
        ("linux", {}, [("/home/ada/.config/DeepChat", None)]),
        (
            "linux",
            {"XDG_CONFIG_HOME": "/etc/ada"},
            [("/etc/ada/DeepChat", "XDG_CONFIG_HOME"), ("/home/ada/.config/DeepChat", None)],
        ),
        ("darwin", {}, [("/home/ada/Library/Application Support/DeepChat", None)]),
        (
            "darwin",
            {"XDG_CONFIG_HOME": "/etc/ada"},
            [("/home/ada/Library/Application Support/DeepChat", None)],
        ),
        (
            "win32",
            {"APPDATA": "/home/ada/AppData/Roaming"},
            [("/home/ada/AppData/Roaming/DeepChat", "APPDATA")],
        ),
        (
            "linux",
            {"DEEPCHAT_USER_DATA_DIR": "/data/chat"},
            [("/data/chat", "DEEPCHAT_USER_DATA_DIR"), ("/home/ada/.config/DeepChat", None)],
        ),
    ],
)
def test_deepchat_has_its_database_where_the_platform_keeps_applications(
    platform: str, environment: dict[str, str], wanted: list[tuple[str, str | None]]
) -> None:
    found = roots("deepchat", around(platform, **environment))
    assert found == [(f"{folder}/app_db/agent.db", said_by) for folder, said_by in wanted]


def test_no_text_is_a_session_of_deepchat() -> None:
    from tests.glances import glance

    assert glance("deepchat", b'{"session_id":"s","entry_id":1}\n') is None
