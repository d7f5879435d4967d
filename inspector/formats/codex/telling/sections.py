"""Records in full, as plain uncleaned text in sections."""

from collections.abc import Collection
from typing import Any, Final

from inspector.formats.codex.effects.registers import todos
from inspector.formats.codex.telling.headlines import failed
from inspector.formats.codex.telling.history import item_line, item_sections
from inspector.formats.codex.telling.phrases import limits_line, tokens_line
from inspector.formats.codex.telling.values import command_line
from inspector.formats.contract import Section
from inspector.formats.shapes import items, mapping, text, whole
from inspector.formats.telling import behind, joined, pretty, said, texts
from inspector.text.labels import TODO_MARKS, plural

NEW: Final = "new in compaction"
"""Of what a compaction puts in that is no item of the history before (format page 2.9)."""

_ITEMS: Final = 50
"""Items of a compaction's history that are shown one by one."""


def sections(kind: str, payload: dict[str, Any]) -> list[Section]:
    """A record in full.

    Args:
        kind: as the table of events names its type.
        payload: what it holds.
    """
    shell, _, name = kind.partition("/")
    if shell == "response_item":
        return item_sections(name, payload)
    if kind == "compacted":
        return compaction_sections(payload)
    if shell != "event_msg":
        return [Section("", pretty(payload), "code")]
    return [*_readable(name, payload), Section("", pretty(payload), "code")]


def compaction_sections(payload: dict[str, Any], new: Collection[int] = ()) -> list[Section]:
    """A compaction in full.

    Args:
        payload: what it holds.
        new: the places in its history of what nobody said before, and what is no summary.
    """
    found = texts(summary=payload.get("message"))
    kept = payload.get("replacement_history")
    if kept is None:
        note = "the person's messages stay, up to 20,000 tokens; the summary stands behind them"
        return [*found, Section("", note, "dim")]
    history = items(kept)
    found.append(Section("", f"the history becomes {plural(len(history), 'item')}", "dim"))
    for at, item in enumerate(history[:_ITEMS]):
        shape = mapping(item)
        line = item_line(text(shape.get("type")), shape)
        # A word that says both who speaks and what it is stands once.
        words = dict.fromkeys((str(at), line.speaker or "", line.kind))
        heading = joined(" ".join(filter(None, words)), NEW if at in new else "")
        found.append(Section(heading, line.text, "dim"))
    if len(history) > _ITEMS:
        found.append(Section("", f"and {len(history) - _ITEMS:,} more; r shows the record", "dim"))
    return found


def _readable(name: str, event: dict[str, Any]) -> list[Section]:
    """The texts of a record that a person wants to read, before all that it says."""
    match name:
        case "user_message" | "agent_message" | "error" | "stream_error" | "warning":
            tone = "error" if failed(name, event) else "plain"
            message = text(event.get("message"))
            return (
                [Section("", message, "error" if tone == "error" else "plain")] if message else []
            )
        case "agent_reasoning" | "agent_reasoning_raw_content":
            return [Section("thinking", text(event.get("text")), "dim")]
        case "task_complete" | "turn_complete":
            return texts(**{"last message": event.get("last_agent_message")})
        case "token_count":
            return _usage(event)
        case "exec_command_end":
            return _command(event)
        case "patch_apply_end":
            return [
                *_changes(event),
                *texts(stdout=event.get("stdout"), stderr=event.get("stderr")),
            ]
        case "plan_update":
            return [Section("todo", _todo(event))]
        case "thread_goal_updated":
            return texts(objective=mapping(event.get("goal")).get("objective"))
        case "exited_review_mode":
            return _review(mapping(event.get("review_output")))
        case "collab_agent_spawn_end" | "collab_agent_interaction_end":
            return texts(prompt=event.get("prompt"))
    return []


def _usage(event: dict[str, Any]) -> list[Section]:
    info = mapping(event.get("info"))
    told = (
        ("last request", tokens_line(mapping(info.get("last_token_usage")))),
        ("the thread so far", tokens_line(mapping(info.get("total_token_usage")))),
        ("limits used", limits_line(event.get("rate_limits"))),
    )
    return [Section(name, line) for name, line in told if line]


def _command(event: dict[str, Any]) -> list[Section]:
    code = whole(event.get("exit_code"))
    output = text(event.get("aggregated_output")) or text(event.get("formatted_output"))
    tone = f"exit {code}" if code is not None else ""
    found = [Section("command", command_line(event.get("command")), "code")]
    if output:
        found.append(Section(tone, output, "error" if code else "plain"))
        return found
    return [*found, *texts(stdout=event.get("stdout"), stderr=event.get("stderr"))]


def _changes(event: dict[str, Any]) -> list[Section]:
    found = []
    for path, change in list(mapping(event.get("changes")).items())[:_ITEMS]:
        shape = mapping(change)
        told = text(shape.get("unified_diff")) or text(shape.get("content"))
        heading = behind(said(shape.get("type")), path[:200], " ")
        found.append(Section(heading, told or pretty(change), "code"))
    return found


def _todo(event: dict[str, Any]) -> str:
    return "\n".join(
        f"{TODO_MARKS.get(step['status'], '?')} {step['content']}"
        for step in todos(event.get("plan"))
    )


def _review(output: dict[str, Any]) -> list[Section]:
    found = [
        Section(text(shape.get("title")), text(shape.get("body")))
        for shape in map(mapping, items(output.get("findings"))[:_ITEMS])
    ]
    return [*found, *texts(overall=output.get("overall_explanation"))]
