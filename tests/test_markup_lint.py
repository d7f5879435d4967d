"""No text can become markup: what Textual or rich would read as markup is not in the source.

A field of a tape may hold ``[@click=app.quit]``, and a malformed tag stops the program. A checker
of source cannot know what a name holds, so all that is handed to a reader of markup must be
``Content(…)`` or ``Text(…)`` where it is handed over, or markup must be off.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import inspector

PACKAGE = Path(inspector.__file__).parent
NOTICES = PACKAGE / "ui" / "notices.py"
"""The one module that may show toasts and tooltips: it cleans them."""

SAFE = {"Content", "Text"}

WIDGETS = {
    "Button",
    "Checkbox",
    "Collapsible",
    "DataTable",
    "Label",
    "Link",
    "Option",
    "OptionList",
    "RadioButton",
    "Select",
    "Selection",
    "SelectionList",
    "Static",
    "Tab",
    "TabPane",
    "Tree",
}
"""What takes a ``str`` for markup when it is made."""

CONTENTS = {"content", "label", "message", "prompt", "renderable", "title"}
"""Keywords that hold what a widget shows."""

METHODS = {
    "add_column",
    "add_columns",
    "add_leaf",
    "add_option",
    "add_options",
    "add_row",
    "add_rows",
}
METHODS |= {"set_label", "set_options", "update", "update_cell"}
"""Methods of such widgets that take more of it."""

READERS = {"from_markup", "render_markup"}

TITLES = {"border_title", "border_subtitle", "BORDER_TITLE", "BORDER_SUBTITLE"}
"""What a widget shows in its frame; as markup, whoever sets it."""

TOASTS = {"notify", "with_tooltip"}
NOTICED = {"tooltip"}


def last_name(node: ast.expr) -> str:
    """The last part of a dotted name."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def is_safe(node: ast.expr) -> bool:
    """Whether an expression, as written, cannot be read as markup."""
    match node:
        case ast.Constant(value=value):
            return not isinstance(value, str)
        case ast.Call(func=function):
            return last_name(function) in SAFE
    return False


def markup(call: ast.Call) -> object:
    """What ``markup`` is set to in a call, as far as it is written out."""
    found = [keyword.value for keyword in call.keywords if keyword.arg == "markup"]
    return found[0].value if found and isinstance(found[0], ast.Constant) else None


def shown(call: ast.Call) -> list[ast.expr]:
    """The arguments of a call that may be shown."""
    return [*call.args, *(word.value for word in call.keywords if word.arg in CONTENTS)]


def of_call(call: ast.Call, noticing: bool) -> Iterator[str]:
    """What is wrong with a call."""
    name, off = last_name(call.func), markup(call) is False
    method = isinstance(call.func, ast.Attribute)
    unsafe = not off and not all(map(is_safe, shown(call)))
    if name in READERS:
        yield f"{name} reads markup"
    if markup(call) is True:
        yield f"{name} with markup=True"
    if (name in WIDGETS or (method and name in METHODS)) and unsafe:
        yield f"{name} may read markup"
    if method and name == "print" and unsafe:
        yield "print of a console may read markup"
    if name in TOASTS and not noticing:
        yield f"{name} outside notices.py"
    if name == "notify" and not off:
        yield "notify without markup=False"


def of_target(target: ast.expr, noticing: bool) -> Iterator[str]:
    """What is wrong with setting something."""
    name = last_name(target)
    if name in TITLES:
        yield f"{name} is set"
    if name in NOTICED and isinstance(target, ast.Attribute) and not noticing:
        yield f"{name} outside notices.py"


def problems(code: str, *, noticing: bool = False) -> list[str]:
    """All that is wrong with a source, in the order of its lines.

    Args:
        code: the source.
        noticing: whether it is the module that may show toasts and tooltips.
    """
    found: list[tuple[int, str]] = []
    for node in ast.walk(ast.parse(code)):
        wrong: list[str] = []
        match node:
            case ast.Call():
                wrong = list(of_call(node, noticing))
            case ast.Assign(targets=targets):
                wrong = [each for target in targets for each in of_target(target, noticing)]
            case ast.AnnAssign(target=target) | ast.AugAssign(target=target):
                wrong = list(of_target(target, noticing))
        found += [(getattr(node, "lineno", 0), each) for each in wrong]
    return [f"line {line}: {each}" for line, each in sorted(found)]


def draws(code: str) -> bool:
    """Whether a source imports what can read markup."""
    for node in ast.walk(ast.parse(code)):
        match node:
            case ast.Import(names=names):
                roots = [name.name for name in names]
            case ast.ImportFrom(module=str(module)):
                roots = [module]
            case _:
                continue
        if any(root.partition(".")[0] in ("textual", "rich") for root in roots):
            return True
    return False


DRAWING = [
    path
    for path in sorted(PACKAGE.rglob("*.py"))
    if path.parent.name == "ui" or draws(path.read_text())
]


def test_the_modules_that_draw_are_found() -> None:
    names = {str(path.relative_to(PACKAGE)) for path in DRAWING}
    assert {"ui/app.py", "ui/screen.py", "ui/bars.py", "export/fitting.py"} <= names
    assert "timeline/builder.py" not in names


@pytest.mark.parametrize("path", DRAWING, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_text_becomes_markup(path: Path) -> None:
    assert problems(path.read_text(), noticing=path == NOTICES) == []


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ("Text.from_markup(title)", "from_markup reads markup"),
        ("Content.from_markup('x')", "from_markup reads markup"),
        ("render_markup(title)", "render_markup reads markup"),
        ("Static(Content(title), markup=True)", "Static with markup=True"),
        ("Static(title)", "Static may read markup"),
        ("Static(f'tape {title}')", "Static may read markup"),
        ("Static(content=title)", "Static may read markup"),
        ("widgets.Label('fixed')", "Label may read markup"),
        ("OptionList(*titles)", "OptionList may read markup"),
        ("Option(title, id='x')", "Option may read markup"),
        ("Button(title)", "Button may read markup"),
        ("Button(label=title)", "Button may read markup"),
        ("Select([(title, 1)])", "Select may read markup"),
        ("Tree(title)", "Tree may read markup"),
        ("DataTable(title)", "DataTable may read markup"),
        ("table.add_row(title, Text(title))", "add_row may read markup"),
        ("table.add_column('[b]when')", "add_column may read markup"),
        ("tree.root.add_leaf(title)", "add_leaf may read markup"),
        ("self.query_one(Static).update(title)", "update may read markup"),
        ("bar.update('done')", "update may read markup"),
        ("console.print(title)", "print of a console may read markup"),
        ("self.border_title = title", "border_title is set"),
        ("self.border_subtitle += title", "border_subtitle is set"),
        ("class Pane:\n    BORDER_TITLE: str = 'x'", "BORDER_TITLE is set"),
        ("self.notify(title, markup=False)", "notify outside notices.py"),
        ("self.tooltip = title", "tooltip outside notices.py"),
        ("Bar().with_tooltip(title)", "with_tooltip outside notices.py"),
    ],
)
def test_what_would_read_markup_is_noticed(code: str, problem: str) -> None:
    line = code.count("\n") + 1
    assert problems(code) == [f"line {line}: {problem}"]


@pytest.mark.parametrize(
    "code",
    [
        "Static(Content(title))",
        "Static(title, markup=False)",
        "Static(id='status')",
        "Static()",
        "table.add_row(Text(title), Text(kind))",
        "bar.update(Content(title))",
        "console.print(title, markup=False)",
        "print(title)",
        "tooltip = title",
        "Cell(title)",
    ],
)
def test_what_cannot_be_markup_is_none(code: str) -> None:
    assert problems(code) == []


def test_the_module_of_notices_may_show_them_without_markup() -> None:
    assert problems("app.notify(clean_line(said), markup=False)", noticing=True) == []
    assert problems("widget.tooltip = Content(said)", noticing=True) == []
    assert problems("app.notify(said)", noticing=True) == ["line 1: notify without markup=False"]
