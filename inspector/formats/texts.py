"""From a file to the text in it, and from a text to an open tape."""

from typing import Final

from inspector.formats import folders
from inspector.formats.contract import Format, OptionError, Options, Tape
from inspector.formats.registry import Opinion, all_formats, recognise
from inspector.tape.packing import Packing
from inspector.tape.source import FileSource, Source, SourceError
from inspector.text.labels import plural

HEAD: Final = 64 * 1024
_LONGEST: Final = 64 * 1024 * 1024
"""Bytes looked at to recognise a source: enough, or a whole first line, which may be a picture."""


def unpacked(file: FileSource, packed: Packing | None, options: Options) -> Source:
    """The text of a file, which may be packed; of an archive that of the session asked for.

    Raises:
        SourceError: if there is none.
    """
    if packed is None:
        return file
    from inspector.tape.unpacking import Limit, UnpackedSource  # dear, and only for these

    limit = Limit()
    if options.unpacked is not None:
        limit = Limit(bytes=options.unpacked, ratio=options.unpacked)
    if packed is Packing.ZIP:
        return UnpackedSource.of_member(file, _member(file, options), limit)
    return UnpackedSource(file, limit)


def _member(file: FileSource, options: Options) -> str:
    from inspector.tape.zip_members import members

    names = [member.name for member in members(file)]
    for format_ in all_formats():
        found = format_.in_archive(names)
        for name, entry in found:
            if options.session in (None, entry.id):
                return name
        if found:
            # The session that the archive is of tells its id only in its header.
            return found[0][0]
    raise SourceError(f"a zip archive without a session ({plural(len(names), 'file')})")


def open_text(source: Source, options: Options) -> Tape:
    """Recognise a text and begin to read it.

    Raises:
        SourceError: if it is no tape; the message says what it is.
        OptionError: if there is no such policy.
    """
    try:
        found = _format_of(source, head_of(source))
        check_policy(found, options)
        return found.open(source, options)
    except BaseException:
        source.close()
        raise


def _format_of(source: Source, head: bytes) -> Format:
    """The format of a text by what it says, else by where it lies."""
    if head.strip():
        found, opinions = recognise(lambda format_: format_.recognise(head))
    else:
        found, opinions = None, []
    found = found or folders.owner_of(source.path)
    if found is not None:
        return found
    if not head:
        raise SourceError(_nothing(source))
    if not head.strip():
        lines = head.count(b"\n") or 1
        raise SourceError(f"nothing but {plural(lines, 'blank line')}")
    raise SourceError(_unknown(source, head, opinions))


def _nothing(source: Source) -> str:
    """Why a compressed file has no text."""
    why = _troubles(source)
    return f"holds no text: {why}" if why else "holds no text"


def _troubles(source: Source) -> str:
    """What went wrong with a compressed file, as far as anybody read."""
    from inspector.tape.unpacking import UnpackedSource

    troubles = source.troubles() if isinstance(source, UnpackedSource) else []
    return "; ".join(trouble.message for trouble in troubles[:3])


def head_of(source: Source) -> bytes:
    """The start of a source, with a whole line in it if that is not too long."""
    length = HEAD
    head = source.read(0, length)
    while b"\n" not in head and len(head) == length < _LONGEST:
        length *= 8
        head = source.read(0, length)
    return head


def _unknown(source: Source, head: bytes, opinions: list[Opinion]) -> str:
    """Why a text is no tape."""
    why = _troubles(source)
    if why:
        return f"cannot be told what it is: {why}"
    from inspector.formats import foreign  # only for what is no tape

    usual = [
        (format_.name, format_.recognise(nothing))
        for format_ in all_formats()
        for nothing in foreign.ANYTHING
    ]
    said = foreign.opinions_said(opinions, usual)
    return f"not a session tape: {foreign.described(head)}{said}"


def check_policy(format_: Format, options: Options) -> None:
    """Refuse a policy that a format does not have, by `OptionError`."""
    if options.policy is not None and options.policy not in format_.policies:
        known = ", ".join(format_.policies)
        raise OptionError(f"no such policy: {options.policy}; {format_.name} has {known}")
