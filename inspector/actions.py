"""Every action of the screen, defined once: keys, palette, footer and help all read this list."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Action:
    """One thing a person can do.

    Attributes:
        id: what a keymap file binds.
        call: the screen's action with its arguments.
        keys: its keys, comma-separated, the first shown; empty where it is only called by name.
        label: what it does, for help and palette.
        group: under which heading help lists it.
        footer: the short label in the footer, empty if it is not there.
    """

    id: str
    call: str
    keys: str
    label: str
    group: str
    footer: str = ""

    @property
    def shown_keys(self) -> str:
        """The keys as a person reads them."""
        return " ".join(_KEY_WORDS.get(key, key) for key in self.key_names)

    @property
    def key_names(self) -> list[str]:
        """The keys as Textual names them."""
        return self.keys.split(",") if self.keys else []


_KEY_WORDS: Final = {
    "left": "←",
    "right": "→",
    "up": "↑",
    "down": "↓",
    "shift+left": "Shift+←",
    "shift+right": "Shift+→",
    "ctrl+left": "Ctrl+←",
    "ctrl+right": "Ctrl+→",
    "alt+left": "Alt+←",
    "alt+right": "Alt+→",
    "home": "Home",
    "end": "End",
    "space": "Space",
    "enter": "Enter",
    "tab": "Tab",
    "shift+tab": "Shift+Tab",
    "escape": "Esc",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "ctrl+u": "Ctrl+U",
    "ctrl+d": "Ctrl+D",
    "ctrl+n": "Ctrl+N",
    "ctrl+o": "Ctrl+O",
    "ctrl+q": "Ctrl+Q",
    "ctrl+p": "Ctrl+P",
    "ctrl+r": "Ctrl+R",
    "left_curly_bracket": "{",
    "right_curly_bracket": "}",
    "left_parenthesis": "(",
    "right_parenthesis": ")",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "less_than_sign": "<",
    "greater_than_sign": ">",
    "question_mark": "?",
    "exclamation_mark": "!",
    "number_sign": "#",
    "colon": ":",
    "slash": "/",
    "ampersand": "&",
    "apostrophe": "'",
    "plus": "+",
    "minus": "-",
    "equals_sign": "=",
    "f1": "F1",
}

CURSOR: Final = "Cursor"
LIST: Final = "List"
LOOK: Final = "Look"
FIND: Final = "Find"
PLAN: Final = "Plan"
APP: Final = "Program"
LAYERS: Final = "In a report"
PLANS: Final = "In a plan"
LIBRARY: Final = "In the library"

ACTIONS: Final = (
    Action("seek.next", "step('EVENT', 1)", "l,right", "next event", CURSOR, "event"),
    Action("seek.previous", "step('EVENT', -1)", "h,left", "previous event", CURSOR),
    Action(
        "seek.turn.next",
        "step('TURN', 1)",
        "right_curly_bracket,shift+right",
        "next turn",
        CURSOR,
        "turn",
    ),
    Action(
        "seek.turn.previous",
        "step('TURN', -1)",
        "left_curly_bracket,shift+left",
        "previous turn",
        CURSOR,
    ),
    Action(
        "seek.surface.next",
        "step('SURFACE', 1)",
        "right_parenthesis,ctrl+right",
        "next change of what the model sees",
        CURSOR,
        "surface",
    ),
    Action(
        "seek.surface.previous",
        "step('SURFACE', -1)",
        "left_parenthesis,ctrl+left",
        "previous change of what the model sees",
        CURSOR,
    ),
    Action(
        "seek.compaction.next",
        "step('COMPACTION', 1)",
        "c",
        "next compaction or prune",
        CURSOR,
        "compaction",
    ),
    Action(
        "seek.compaction.previous",
        "step('COMPACTION', -1)",
        "C",
        "previous compaction or prune",
        CURSOR,
    ),
    Action(
        "seek.leap.back",
        "leap_back(-1)",
        "ctrl+o",
        "back to where the last jump began",
        CURSOR,
    ),
    Action("seek.leap.on", "leap_back(1)", "ctrl+n", "on again, after going back", CURSOR),
    Action("seek.branch.next", "step('BRANCH', 1)", "b", "next fork, rewind or subagent", CURSOR),
    Action(
        "seek.branch.previous",
        "step('BRANCH', -1)",
        "B",
        "previous fork, rewind or subagent",
        CURSOR,
    ),
    Action("seek.error.next", "step('ERROR', 1)", "e", "next error", CURSOR, "error"),
    Action("seek.error.previous", "step('ERROR', -1)", "E", "previous error", CURSOR),
    Action("seek.user.next", "step('USER', 1)", "u", "next user prompt", CURSOR, "user"),
    Action("seek.user.previous", "step('USER', -1)", "U", "previous user prompt", CURSOR),
    Action("seek.call.next", "step('TOOL_CALL', 1)", "t", "next tool call", CURSOR),
    Action("seek.call.previous", "step('TOOL_CALL', -1)", "T", "previous tool call", CURSOR),
    Action(
        "seek.mark.next",
        "step('MARK', 1)",
        "right_square_bracket,alt+right",
        "next mark of any class, bookmarks too",
        CURSOR,
    ),
    Action(
        "seek.mark.previous",
        "step('MARK', -1)",
        "left_square_bracket,alt+left",
        "previous mark of any class, bookmarks too",
        CURSOR,
    ),
    Action("seek.first", "first", "g,home", "before the first event", CURSOR),
    Action("seek.head", "head", "G,end", "the head of the tape", CURSOR),
    Action(
        "seek.place",
        "ask_place",
        "colon",
        "go to 812, seq:811, turn:7, 14:05; or an action",
        CURSOR,
        "go to",
    ),
    Action("play.toggle", "play", "space", "play or pause", CURSOR, "play"),
    Action("play.live", "live", "L", "go to the head and follow what is written", CURSOR, "live"),
    Action("play.slower", "speed(-1)", "less_than_sign", "play slower", CURSOR),
    Action("play.faster", "speed(1)", "greater_than_sign", "play faster", CURSOR),
    Action("list.down", "move(1)", "j,down", "next row of the pane", LIST),
    Action("list.up", "move(-1)", "k,up", "previous row of the pane", LIST),
    Action("list.page.down", "page(1)", "ctrl+d,pagedown", "a page down", LIST),
    Action("list.page.up", "page(-1)", "ctrl+u,pageup", "a page up", LIST),
    Action("list.enter", "enter", "enter", "seek to a free selection, else open the detail", LIST),
    Action("list.lock", "lock", "s", "free the selection, or lock it to the cursor", LIST),
    Action("pane.next", "pane(1)", "tab", "next pane", LIST, "pane"),
    Action("pane.previous", "pane(-1)", "shift+tab", "previous pane", LIST),
    Action("lens.why", "lens('why')", "w", "why the model sees this, or does not", LOOK, "why"),
    Action("lens.diff", "lens('diff')", "d", "what this event did to the surface", LOOK, "diff"),
    Action("lens.diff.anchor", "lens('diff-anchor')", "D", "the surface against anchor A", LOOK),
    Action(
        "lens.parting", "compare", "K", "where this tape parts from its parent, or another", LOOK
    ),
    Action("lens.family", "family", "J", "the family, to jump to: parents, forks, subagents", LOOK),
    Action("lens.audit", "lens('audit')", "S", "a summary beside what it hides", LOOK, "audit"),
    Action(
        "lens.requests",
        "lens('requests')",
        "Q",
        "every request: what was cached, what broke the cache, cost",
        LOOK,
        "requests",
    ),
    Action("anchor.set", "anchor", "a", "set anchor A at the cursor, or take it away", LOOK),
    Action("anchor.swap", "swap", "X", "swap anchor A and the cursor", LOOK),
    Action(
        "look.transcript", "transcript", "V", "what the person saw, or what the model sees", LOOK
    ),
    Action("lens.stream", "lens('stream')", "W", "messages while they were put together", LOOK),
    Action("look.pager", "pager", "o", "all of the selected text in $PAGER", LOOK),
    Action("look.raw", "raw", "r", "rendered detail or the raw record", LOOK, "raw"),
    Action("look.state", "state", "i", "registers and open spans as of the cursor", LOOK, "state"),
    Action("look.damage", "damage", "exclamation_mark", "damage report", LOOK, "damage"),
    Action("look.rows", "rows", "number_sign", "physical records against events", LOOK),
    Action("look.request", "request", "O", "what the owner would send as history", LOOK, "request"),
    Action("fold.past", "past_unknown", "P", "fold on past a required unknown event", LOOK),
    Action("policy.next", "next_policy", "", "follow the next of the owner's readers", LOOK),
    Action("find.text", "search", "slash", "look for a text or /regex/", FIND, "search"),
    Action("find.next", "hit(1)", "n", "next hit", FIND),
    Action("find.previous", "hit(-1)", "N", "previous hit", FIND),
    Action("find.list", "hits", "", "list the hits; / and nothing does it too", FIND),
    Action("filter.shown", "cycle_shown", "v", "list all, visible, hidden, log-only", FIND),
    Action("filter.hits", "only_hits", "ampersand", "list only the hits, or all", FIND),
    Action("filter.words", "ask_filter", "f", "list only some kinds, roles, tools", FIND),
    Action("bookmark.set", "mark", "m", "set a bookmark: m and a letter", FIND),
    Action("bookmark.go", "jump", "apostrophe", "go to a bookmark: ' and a letter", FIND),
    Action("bookmark.list", "bookmarks", "M", "bookmarks and their notes", FIND),
    Action("plan.menu", "plan", "p", "plan a fork, rewind, compaction, repair, resume", PLAN),
    Action("plan.fork", "plan('fork')", "F", "plan a fork that is cut at the cursor", PLAN),
    Action("plan.rewind", "plan('rewind')", "R", "plan a rewind to the cursor", PLAN),
    Action("deed.undo", "undo", "Z", "take back what was last made of this tape", PLAN),
    Action("app.help", "help", "question_mark,f1", "all keys", APP, "help"),
    Action("app.palette", "app.command_palette", "ctrl+p", "every action by name", APP),
    Action("app.close", "close", "q", "close the top layer; else go back, or quit", APP, "quit"),
    Action("app.back", "back", "escape", "close the top layer; never quits", APP),
    Action("app.quit", "app.quit", "ctrl+q", "quit", APP),
)


LAYER: Final = (
    Action("layer.down", "row(1)", "j,down", "next row", LAYERS),
    Action("layer.up", "row(-1)", "k,up", "previous row", LAYERS),
    Action("layer.page.down", "page(1)", "ctrl+d,pagedown,space", "a page down", LAYERS),
    Action("layer.page.up", "page(-1)", "ctrl+u,pageup", "a page up", LAYERS),
    Action("layer.first", "edge(0)", "g,home", "first row", LAYERS),
    Action("layer.last", "edge(1)", "G,end", "last row", LAYERS),
    Action("layer.pane", "pane", "tab,shift+tab", "the rows, or the one in full", LAYERS, "pane"),
    Action("layer.go", "go", "enter", "go to the place", LAYERS, "go to the place"),
    Action("layer.copy", "copy", "y", "copy as text", LAYERS, "copy"),
    Action("layer.close", "dismiss", "escape,q", "close", LAYERS, "close"),
)
"""What the keys do in a report that lies over the main screen."""


BOOKMARK_LAYER: Final = (
    Action("bookmark.note", "note", "e", "write its note", LAYERS, "note"),
    Action("bookmark.remove", "remove", "x", "take it away", LAYERS, "take away"),
)
"""What more the keys do in the list of bookmarks."""


LEADING_LAYER: Final = (
    Action(
        "layer.lead", "lead", "S", "the audit of the summary that stands there", LAYERS, "audit"
    ),
    Action(
        "layer.relative",
        "relative",
        "J",
        "the family, at what the event leads to",
        LAYERS,
        "family",
    ),
)
"""What more the key does in a report from which another question follows."""


PLAN_LAYER: Final = (
    Action("cut.next", "step('EVENT', 1)", "l,right", "the cut one event on", PLANS, "cut"),
    Action("cut.previous", "step('EVENT', -1)", "h,left", "the cut one event back", PLANS),
    Action("cut.back", "snap(-1)", "less_than_sign", "back to an allowed cut", PLANS, "snap back"),
    Action("cut.forward", "snap(1)", "greater_than_sign", "on to an allowed cut", PLANS, "on"),
    Action(
        "cut.turn.next",
        "step('TURN', 1)",
        "right_curly_bracket,shift+right",
        "the cut one turn on",
        PLANS,
    ),
    Action(
        "cut.turn.previous",
        "step('TURN', -1)",
        "left_curly_bracket,shift+left",
        "the cut one turn back",
        PLANS,
    ),
    Action("cut.user.next", "step('USER', 1)", "u", "the cut to the next user prompt", PLANS),
    Action("cut.user.previous", "step('USER', -1)", "U", "to the user prompt before", PLANS),
    Action(
        "cut.compaction.next", "step('COMPACTION', 1)", "c", "the cut to the next compaction", PLANS
    ),
    Action(
        "cut.compaction.previous", "step('COMPACTION', -1)", "C", "to the compaction before", PLANS
    ),
    Action("cut.first", "first", "g,home", "the cut before the first event", PLANS),
    Action("cut.head", "head", "G,end", "the cut at the head, or at the count", PLANS),
    Action("cut.place", "ask_place", "colon", "the cut at 812, seq:811, turn:7", PLANS),
    Action("cut.exclude", "exclude", "x", "keep the event at the cut, or leave it", PLANS, "leave"),
    Action("plan.view", "view", "v", "the next history that can be given", PLANS, "view"),
    Action("plan.way", "way", "w", "append to the tape, or a new tape", PLANS, "way"),
    Action("plan.keep.more", "keep(1)", "plus", "a compaction keeps a row more", PLANS, "more"),
    Action("plan.keep.fewer", "keep(-1)", "minus", "a compaction keeps a row less", PLANS, "less"),
    Action(
        "plan.degraded",
        "degraded",
        "d",
        "pieces of the originals for a summary, or none",
        PLANS,
        "degraded",
    ),
    Action("plan.summary", "ask_summary", "f", "a summary from a file", PLANS, "file"),
    Action(
        "plan.prompt", "prompt", "p", "a compaction's prompt and summary in full", PLANS, "prompt"
    ),
    Action("plan.undone", "undone", "e", "list what is not undone", PLANS, "not undone"),
    Action("plan.apply", "apply", "A", "carry the plan out, asked once more", PLANS, "apply"),
    Action("plan.copy", "copy", "y", "copy the command line; y t the text", PLANS, "copy"),
    Action("plan.copy.all", "copy_all", "Y", "copy the plan as text", PLANS),
    Action("plan.save", "ask_save", "s", "save the plan to a new file", PLANS, "save"),
    Action("plan.load", "ask_load", "equals_sign", "compare with a saved plan", PLANS, "compare"),
    Action(
        "plan.anew", "anew", "r", "take the new plan where this is out of date", PLANS, "new plan"
    ),
    Action("plan.down", "row(1)", "j,down", "next line of the plan", PLANS),
    Action("plan.up", "row(-1)", "k,up", "previous line of the plan", PLANS),
    Action("plan.page.down", "page(1)", "ctrl+d,pagedown", "a page of it down", PLANS),
    Action("plan.page.up", "page(-1)", "ctrl+u,pageup", "a page of it up", PLANS),
    Action("plan.take", "take", "enter,space", "go to the event, take the choice, unfold", PLANS),
    Action("plan.help", "help", "question_mark,f1", "list all keys", PLANS, "help"),
    Action("plan.close", "close", "escape,q", "close the plan", PLANS, "close"),
)
"""What the keys do while a plan is open."""


LIBRARY_SCREEN: Final = (
    Action("library.open", "open", "enter", "open the session where it was left", LIBRARY, "open"),
    Action(
        "library.search", "search", "slash", "list those that say some words", LIBRARY, "search"
    ),
    Action(
        "library.group",
        "group(1)",
        "tab,o",
        "group by time, by agent, by project",
        LIBRARY,
        "group",
    ),
    Action("library.ungroup", "group(-1)", "shift+tab", "the grouping before", LIBRARY),
    Action("library.family", "family", "f", "the family of the session", LIBRARY, "family"),
    Action("library.copy", "copy", "y", "copy its path", LIBRARY, "copy path"),
    Action("library.command", "copy_command", "Y", "copy the command that opens it", LIBRARY),
    Action("library.again", "again", "r,ctrl+r", "look again", LIBRARY, "look again"),
    Action("library.down", "row(1)", "j,down", "next session", LIBRARY),
    Action("library.up", "row(-1)", "k,up", "previous session", LIBRARY),
    Action("library.page.down", "page(1)", "ctrl+d,pagedown,space", "a page of them down", LIBRARY),
    Action("library.page.up", "page(-1)", "ctrl+u,pageup", "a page of them up", LIBRARY),
    Action("library.first", "edge(0)", "g,home", "first session", LIBRARY),
    Action("library.last", "edge(1)", "G,end", "last session", LIBRARY),
    Action("library.heading.next", "heading(1)", "right_curly_bracket", "next group", LIBRARY),
    Action(
        "library.heading.previous", "heading(-1)", "left_curly_bracket", "previous group", LIBRARY
    ),
    Action("library.demo", "demo", "d", "open the demo", LIBRARY, "demo"),
    Action("library.clear", "clear", "escape", "clear the search; never quits", LIBRARY),
    Action("library.help", "help", "question_mark,f1", "show all keys", LIBRARY, "help"),
    Action(
        "library.palette", "app.command_palette", "ctrl+p", "each action by name; themes", LIBRARY
    ),
    Action("library.quit", "quit", "q", "quit the program", LIBRARY, "quit"),
    Action("library.end", "app.quit", "ctrl+q", "quit from anywhere", LIBRARY),
)
"""What the keys do in the library."""


FOOTER: Final = (
    "seek.next",
    "seek.turn.next",
    "seek.surface.next",
    "seek.compaction.next",
    "seek.error.next",
    "seek.user.next",
    "pane.next",
    "play.toggle",
    "play.live",
    "seek.place",
    "find.text",
    "look.state",
    "look.raw",
    "app.close",
)
"""What the footer shows as far as there is room, in this order; help is always there."""


def by_id(action_id: str) -> Action:
    """The action with an id."""
    every = (
        *ACTIONS,
        *LAYER,
        *LEADING_LAYER,
        *BOOKMARK_LAYER,
        *PLAN_LAYER,
        *LIBRARY_SCREEN,
    )
    return next(action for action in every if action.id == action_id)


def named(action_id: str) -> Action | None:
    """The action of the main screen that a person calls by its name, or None."""
    return next((action for action in ACTIONS if action.id == action_id), None)


def by_group() -> dict[str, list[Action]]:
    """All actions under their headings, in order."""
    groups: dict[str, list[Action]] = {}
    for action in (
        *ACTIONS,
        *LAYER,
        *LEADING_LAYER,
        *BOOKMARK_LAYER,
        *PLAN_LAYER,
        *LIBRARY_SCREEN,
    ):
        groups.setdefault(action.group, []).append(action)
    return groups
