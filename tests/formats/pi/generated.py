"""Sessions thrown by dice: trees, compactions, edits, odd ids, damaged lines."""

import json
from random import Random
from typing import Any

from tests.formats.pi import sessions
from tests.formats.pi.sessions import Json


def session(
    seed: int, entries: int, *, odd: bool = True, late: bool = False, bare: bool = False
) -> bytes:
    """A file.

    Args:
        seed: of the dice.
        entries: how many there are, about.
        odd: lines that the owner passes over, and entries that are none.
        late: ids that come again, and parents that come later or never end.
        bare: nothing is edited, and no message is the system's.
    """
    dice = Random(seed)  # noqa: S311 - the same at every run
    lines = [json.dumps(sessions.header()).encode()]
    ids: list[str] = []
    leaf: str | None = None
    for at in range(entries):
        if odd and dice.random() < 0.05:
            lines.append(_odd_line(dice, at, leaf))
        identity = f"e{at}"
        if late and ids and dice.random() < 0.08:
            identity = dice.choice(ids)
        elif late and dice.random() < 0.05:
            identity = f"e{at + dice.randint(1, 6)}"
        parent = _parent(dice, ids, leaf)
        if late and dice.random() < 0.06:
            parent = f"e{at + dice.randint(0, 6)}"
        made = _entry(dice, identity, parent, ids)
        while bare and _changes_rows(made):
            made = _entry(dice, identity, parent, ids)
        if odd and dice.random() < 0.03:
            del made["id"]
        lines.append(json.dumps(made).encode())
        if "id" in made:
            ids.append(identity)
            leaf = identity
    return b"\n".join(lines) + b"\n"


def _parent(dice: Random, ids: list[str], leaf: str | None) -> str | None:
    chance = dice.random()
    if not ids or chance < 0.03:
        return None
    if chance < 0.06:
        return "nobody"
    if chance < 0.3:
        return dice.choice(ids)
    return dice.choice(ids[-4:]) if chance < 0.4 else leaf


def _entry(dice: Random, identity: str, parent: str | None, ids: list[str]) -> Json:
    target = dice.choice([*ids[-8:], *ids[-8:], "nobody", identity]) if ids else "nobody"
    far = dice.choice(ids) if ids else "nobody"
    chance = dice.random()
    if chance < 0.12:
        more: Json = {}
        if dice.random() < 0.3:
            more["systemMessage"] = {"role": "system", "content": "checkpoint"}
        kept = dice.choice([target, target, far, None])
        return sessions.compaction(identity, parent, kept, **more)
    if chance < 0.3:
        content = dice.choice([None, None, "other", [{"type": "text", "text": "other"}]])
        return sessions.edit(identity, parent, dice.choice([target, far]), content)
    return _plain(dice, identity, parent, target)


def _changes_rows(made: Json) -> bool:
    return made["type"] == "context_edit" or made.get("message", {}).get("role") == "system"


def _plain(dice: Random, identity: str, parent: str | None, target: str) -> Json:
    made: list[Json] = [
        sessions.answer(identity, parent, model=f"model-{dice.randint(0, 2)}"),
        sessions.answer(identity, parent, f"call {identity}"),
        sessions.result(identity, parent, f"call {parent}"),
        sessions.user(identity, parent),
        sessions.user(identity, parent),
        sessions.message(identity, parent, "system", "system"),
        sessions.entry(
            "message",
            identity,
            parent,
            message={"role": "bashExecution", "command": "ls", "output": "", "exitCode": 0},
        ),
        sessions.entry("custom_message", identity, parent, customType="x", content="custom"),
        sessions.branch_summary(identity, parent, dice.choice(["", "left"])),
        sessions.label(identity, parent, target),
        sessions.entry("model_change", identity, parent, provider="p", modelId="other"),
        sessions.entry(
            "thinking_level_change", identity, parent, thinkingLevel=dice.choice(["high", "low"])
        ),
        sessions.entry("session_info", identity, parent, name="name"),
        sessions.entry("unheard_of", identity, parent),
    ]
    return dice.choice(made)


def _odd_line(dice: Random, at: int, leaf: str | None) -> bytes:
    whole = json.dumps(sessions.user(f"odd{at}", leaf)).encode()
    values: list[Any] = [42, [1], "words", True, None, 0, False, ""]
    return dice.choice(
        [
            b"junk",
            b"",
            b"  ",
            b"\0" + whole,
            whole[: len(whole) // 2] + whole,
            whole[: len(whole) // 2],
            json.dumps(sessions.header()).encode(),
            json.dumps(dice.choice(values)).encode(),
            json.dumps(dice.choice(values)).encode(),
        ]
    )
