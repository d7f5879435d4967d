"""What a manifest says of the request that was made: references and hashes, not the prompt."""

from typing import Any, Final

from inspector.columns import Column, unsigned
from inspector.formats.deepchat import rules
from inspector.formats.deepchat.manifest import INVALID, integrity
from inspector.formats.logs.folding import Folding
from inspector.formats.shapes import mapping, natural, text
from inspector.text.gate import clean_line

_NAME: Final = 200


class Views:
    """Tells the builder what requests were made of.

    Attributes:
        told: the events of the manifests that can be relied on.
    """

    def __init__(self, folding: Folding) -> None:
        self._folding = folding
        self.told: Column = unsigned()

    def assembled(self, data: dict[str, Any], record: int) -> None:
        """A request was put together."""
        manifest = mapping(data.get("manifest"))
        if integrity(manifest) == INVALID:
            what = f"the hash of {clean_line(text(manifest.get('viewId')), 80) or 'a manifest'}"
            message = f"{what} is not that of what it says"
            self._folding.found_at_event(rules.INVALID_MANIFEST, message, record)
        else:
            self.told.append(self._folding.builder.event)
        builder = self._folding.builder
        meta = mapping(manifest.get("meta"))
        for register, found in (
            ("model", meta.get("modelId")),
            ("provider", meta.get("providerId")),
            ("view policy", manifest.get("policy")),
        ):
            if text(found):
                builder.set(register, text(found)[:_NAME])
        budget = mapping(manifest.get("tokenBudget"))
        window, kept = natural(budget.get("contextLength")), natural(budget.get("reserveTokens"))
        if window is not None:
            builder.set("window", window)
        if kept is not None:
            builder.set("reserve", kept + (natural(budget.get("toolReserveTokens")) or 0))
