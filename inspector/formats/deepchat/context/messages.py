"""The messages that the owner makes of one record: no vision, no audio, no reasoning kept (C)."""

from typing import Any, Final, NamedTuple

from inspector.formats.deepchat.context.records import ERROR, USER, Record
from inspector.formats.deepchat.values import is_number, read_json, slice_units, trim, units

_CANCELLED: Final = "User canceled generation"
_TRANSLATED: Final = {
    "common.error.userCanceledGeneration": _CANCELLED,
    "common.error.sessionInterrupted": (
        "Session was unexpectedly interrupted, generation is incomplete"
    ),
    "common.error.noModelResponse": "Model did not return any content, it may have timed out",
}
"""The keys that the owner keeps in the place of a sentence, and the sentences (RULES C4)."""

_INLINE: Final = {"skill": ("Skill", "skillName"), "file": ("File", "fileName")}


class Call(NamedTuple):
    """A tool call of a message; the arguments are JSON in a text."""

    id: str
    name: str
    arguments: str


class Sent(NamedTuple):
    """One message of the context.

    Attributes:
        role: ``user``, ``assistant`` or ``tool``.
        text: what it says, perhaps nothing.
        calls: the tool calls that it makes.
        call_id: the call that it answers, of a ``tool`` message.
    """

    role: str
    text: str
    calls: tuple[Call, ...] = ()
    call_id: str | None = None


class BuildBreaks(Exception):  # noqa: N818 - the owner's failure, not the program's error
    """The owner's builder throws on a record, and there is no context at all (RULES C5).

    Attributes:
        word: the type of what it throws.
    """

    def __init__(self, word: str, message: str) -> None:
        self.word = word
        super().__init__(message)


def messages_of(record: Record) -> list[Sent]:
    """The messages of a record that is history; none if they would be empty.

    Raises:
        BuildBreaks: if the owner's builder throws on it.
    """
    if record.role == USER:
        text = user_text(record.content)
        return [Sent("user", text)] if trim(text) else []
    return _assistant(blocks_of(record.content), record.status)


def user_text(content: str) -> str:
    """What a user's message says (RULES C2)."""
    try:
        value = read_json(content)
    except ValueError:
        return content
    if type(value) is str:
        return value
    if type(value) is not dict:
        return ""
    text = value.get("text")
    if type(text) is not str:
        return ""
    inline = value.get("inlineItems")
    return _with_items(text, inline) if type(inline) is list and inline else text


def _with_items(text: str, inline: list[Any]) -> str:
    """A text with what was put into it at offsets in UTF-16 units; others are dropped."""
    length = units(text)
    placed: list[tuple[float, str]] = []
    for item in inline:
        if type(item) is not dict or type(item.get("type")) is not str:
            continue
        word, key = _INLINE.get(item["type"], ("", ""))
        name, offset = item.get(key), item.get("offset")
        if word and type(name) is str and is_number(offset) and 0 <= offset <= length:
            placed.append((offset, f"[{word}: {name}]"))
    placed.sort(key=lambda pair: pair[0])
    pieces: list[str] = []
    done = 0
    for offset, said in placed:
        pieces += [slice_units(text, done, int(offset)), said]
        done = int(offset)
    return "".join([*pieces, slice_units(text, done, length)])


def blocks_of(content: str) -> list[dict[str, Any]]:
    """The blocks of an assistant's message; what is no object in the list is passed over.

    Raises:
        BuildBreaks: if the content is no list, or holds a null.
    """
    try:
        value = read_json(content)
    except ValueError:
        raise BuildBreaks("SyntaxError", "the content is no JSON") from None
    if type(value) is not list:
        raise BuildBreaks("TypeError", "the content is no list of blocks")
    if None in value:
        raise BuildBreaks("TypeError", "a block is null")
    return [block for block in value if type(block) is dict]


def _assistant(blocks: list[dict[str, Any]], status: str) -> list[Sent]:
    answered = [call for block in blocks if (call := _answered(block)) is not None]
    calls = tuple(call for call, _ in answered if call.id and call.name)
    note = error_note(blocks, status)
    if not calls:
        text = _joined(blocks, ("content", "reasoning_content"))
        if note:
            text = f"{text}\n\n{note}" if trim(text) else note
        return [Sent("assistant", text)] if trim(text) else []
    found = [Sent("assistant", _joined(blocks, ("content",)), calls)]
    found += [Sent("tool", response, (), call.id) for call, response in answered]
    if note:
        found.append(Sent("assistant", note))
    return found


def _joined(blocks: list[dict[str, Any]], kinds: tuple[str, ...]) -> str:
    """What the blocks of some types say, without anything between them (RULES C3)."""
    return "".join(
        block["content"]
        for block in blocks
        if block.get("type") in kinds and type(block.get("content")) is str
    )


def _answered(block: dict[str, Any]) -> tuple[Call, str] | None:
    """A tool call with its response, or None if the block is no call that was answered."""
    if block.get("type") != "tool_call":
        return None
    call = block.get("tool_call")
    if type(call) is not dict:
        return None
    identity, name, response = call.get("id"), call.get("name"), call.get("response")
    if type(identity) is not str or type(name) is not str or type(response) is not str:
        return None
    params = call.get("params")
    arguments = params if isinstance(params, str) and params else "{}"
    return (Call(identity, name, arguments), response) if response else None


def error_note(blocks: list[dict[str, Any]], status: str) -> str:
    """What the owner adds where a generation failed, or nothing (RULES C4)."""
    reasons: dict[str, None] = {}
    for block in blocks:
        content = block.get("content")
        if block.get("type") == "error" and type(content) is str and trim(content):
            said = trim(content)
            reasons[_TRANSLATED.get(said, said)] = None
    if not reasons:
        if status != ERROR:
            return ""
        reasons["Unknown error"] = None
    word = "canceled" if list(reasons) == [_CANCELLED] else "failed"
    return "\n".join((f"[Generation {word}]", f"Reason: {next(iter(reasons))}", *list(reasons)[1:]))
