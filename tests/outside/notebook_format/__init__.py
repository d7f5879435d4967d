"""Notebooks, the tapes of an invented agent: a format of another distribution, in one package.

A notebook is a text of JSON lines. The first is ``{"notebook": 1, "id", "title"}``; each of the
others is one event:

| line | does |
|---|---|
| ``{"say": text, "by": who, "id"}`` | a row enters; with ``call`` it makes a call, with ``answers`` it answers one |
| ``{"fold": text}`` | a summary takes the place of all rows |
| ``{"back": n}`` | the first ``n`` rows stay, the others were never said; the reader ``notebook:plain`` knows no such lines |
| ``{"again": [id, …]}`` | these rows are the surface, in this order |
| ``{"cut": id}``, ``{"clear": id}`` | a row is shown in part, or not at all |
| ``{"aside": text}``, ``{"loose": text, "id"}`` | of a side branch; of a chain that is broken |

``from`` names the file that a line was copied out of.
"""  # noqa: E501 - a table

from typing import Final

import orjson

from inspector.formats.contract import Certainty, Options, Recognition, Tape
from inspector.formats.defaults import NoAnnexes, NoContainers, NoDatabases, NoListing
from inspector.tape.source import Source

PLAIN: Final = "notebook:plain"
"""The reader that goes on where a notebook was turned back."""


class NotebookFormat(NoAnnexes, NoContainers, NoDatabases, NoListing):
    """The format, as `inspector.formats.contract.Format` has it."""

    name: Final = "notebook"
    policies: Final = ("notebook", PLAIN)

    def recognise(self, head: bytes) -> Recognition:
        """A notebook says that it is one."""
        try:
            first = orjson.loads(head.split(b"\n", 1)[0])
        except ValueError:
            return Recognition(Certainty.NO, "line 1 is not a JSON object")
        if isinstance(first, dict) and "notebook" in first:
            return Recognition(Certainty.SURE)
        return Recognition(Certainty.NO, "no notebook line")

    def open(self, source: Source, options: Options) -> Tape:
        """Begin to read a notebook."""
        from notebook_format.reading import open_notebook

        return open_notebook(source, options)


FORMAT: Final = NotebookFormat()
