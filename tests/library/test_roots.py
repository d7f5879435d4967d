from collections.abc import Iterator
from pathlib import Path

import pytest

from inspector.formats.listing import Root, Surroundings
from inspector.formats.registry import OWN
from inspector.library import roots
from inspector.library.finding import find
from inspector.library.roots import Place, given, here, installed, known
from tests import notebooks
from tests.library.plainlog import PlainFormat
from tests.nobody import as_nobody, needs_nobody


def around(folder: Path, **environment: str) -> Surroundings:
    return Surroundings(environment, folder, "linux")


def test_a_place_that_several_agents_name_is_one(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "link").symlink_to("kept")
    first = PlainFormat("first", [Root("first", tmp_path / "kept", "FIRST_HOME")])
    second = PlainFormat("second", [Root("second", tmp_path / "link", "SECOND_HOME")])
    (place,) = known(around(tmp_path), [first, second])
    assert place.path == tmp_path / "kept"
    assert place.owners == ("first", "second")
    assert place.said_by == ("FIRST_HOME", "SECOND_HOME")


def test_a_place_where_nothing_is_is_told_once_too(tmp_path: Path) -> None:
    gone = [
        Root("plain", tmp_path / "gone"),
        Root("plain", tmp_path / "x" / ".." / "gone", "HERE"),
    ]
    (place,) = known(around(tmp_path), [PlainFormat("plain", gone)])
    assert place == Place(tmp_path / "gone", ("plain",), ("HERE",), there=False)


@needs_nobody
def test_a_place_below_a_folder_that_may_not_be_searched_is_told_with_the_reason(
    tmp_path: Path,
) -> None:
    for folder in (tmp_path, *tmp_path.parents[:3]):
        folder.chmod(0o755)
    (tmp_path / ".claude" / "projects").mkdir(parents=True)
    (tmp_path / ".claude").chmod(0o700)
    said = as_nobody(f"""
from inspector.formats.listing import Surroundings
from inspector.library.finding import find
from inspector.library.roots import known
home = {str(tmp_path)!r}
places = known(Surroundings({{"HOME": home}}, Path(home), "linux"))
print([(place.path.name, place.there) for place in places if place.there])
print([(row.path.name, row.problem) for row in find(places)])
""")
    assert said.splitlines() == ["[('projects', True)]", "[('projects', 'permission denied')]"]


def test_a_relative_root_lies_in_the_working_folder(tmp_path: Path) -> None:
    (place,) = known(around(tmp_path), [PlainFormat("plain", [Root("plain", Path(".sessions"))])])
    assert (place.path, place.there) == (tmp_path / ".sessions", False)


@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"HOME": ""},
        {"HOME": "not/absolute"},
        {"HOME": "/nowhere"},
        {"HOME": "/nowhere", "CODEX_HOME": "", "CLAUDE_CONFIG_DIR": "relative", "DSH_HOME": "~/x"},
    ],
)
def test_any_environment_has_places_that_are_absolute_and_of_known_agents(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    places = known(around(tmp_path, **environment), OWN)
    assert all(place.path.is_absolute() and not place.given for place in places)
    assert {owner for place in places for owner in place.owners} <= {one.name for one in OWN}
    assert len({place.path for place in places}) == len(places)


def test_given_paths_are_kept_as_they_are_given_and_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a").write_bytes(b"")
    places = given([Path("a"), tmp_path / "b", tmp_path / "a"])
    assert [(place.path, place.there, place.given) for place in places] == [
        (Path("a"), True, True),
        (tmp_path / "b", False, True),
    ]


def test_the_surroundings_of_a_process_whose_folder_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone() -> Path:
        raise FileNotFoundError

    monkeypatch.setattr(Path, "cwd", gone)
    assert here().folder == Path("/")


@pytest.fixture
def scanned_anew() -> Iterator[None]:
    """What is installed is looked for once in a process, but for the test's own."""
    installed.cache_clear()
    yield
    installed.cache_clear()


def test_without_other_distributions_no_entry_point_is_asked(
    scanned_anew: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(roots, "all_formats", lambda: pytest.fail("asked"))
    assert installed() == OWN


def test_a_format_of_another_distribution_is_found_and_lists_what_is_named(
    scanned_anew: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notebooks.installed(monkeypatch)
    path = notebooks.everything(tmp_path / "plan.notebook")
    assert "notebook" in [format_.name for format_ in installed()]
    (row,) = find(given([path]))
    assert (row.format, row.problem) == ("notebook", None)


def test_where_modules_come_from_an_archive_the_entry_points_are_asked(
    scanned_anew: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "modules.zip").write_bytes(b"")
    monkeypatch.syspath_prepend(tmp_path / "modules.zip")
    asked: list[bool] = []
    monkeypatch.setattr(roots, "all_formats", lambda: asked.append(True) or iter(OWN))
    assert installed() == OWN
    assert asked == [True]
