"""Where DeepChat keeps its database (format page 1)."""

from pathlib import Path
from typing import Final

from inspector.formats.homes import folder_of
from inspector.formats.listing import Root, Surroundings

_OWNER: Final = "deepchat"
_DATABASE: Final = Path("app_db", "agent.db")
_APPLICATION: Final = "DeepChat"


def all_roots(surroundings: Surroundings) -> list[Root]:
    """The database in the folder that other tools name, then in the owner's own."""
    found: list[Root] = []
    for variable, within in (
        ("DEEPCHAT_USER_DATA_DIR", Path()),
        *_variables(surroundings.platform),
    ):
        folder = folder_of(surroundings, variable)
        if folder is not None:
            found.append(Root(_OWNER, folder / within / _DATABASE, variable))
    home, own = surroundings.home, _own(surroundings.platform)
    if home is not None:
        root = Root(_OWNER, home / own / _APPLICATION / _DATABASE)
        if all(other.path != root.path for other in found):
            found.append(root)
    return found


def _variables(platform: str) -> tuple[tuple[str, Path], ...]:
    """The variables that name the folder of all applications, and the owner's in it."""
    if platform == "darwin":
        return ()
    name = "APPDATA" if platform == "win32" else "XDG_CONFIG_HOME"
    return ((name, Path(_APPLICATION)),)


def _own(platform: str) -> Path:
    """The folder of all applications in the person's."""
    if platform == "darwin":
        return Path("Library", "Application Support")
    return Path("AppData", "Roaming") if platform == "win32" else Path(".config")
