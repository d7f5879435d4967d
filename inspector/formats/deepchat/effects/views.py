"""What a manifest says of the request that was made: references and hashes, not the prompt."""

from typing import Any, Final

from inspector.formats.deepchat import rules
from inspector.formats.deepchat.manifest import INVALID, integrity
from inspector.formats.logs.folding import Folding
from inspector.formats.shapes import mapping, natural, text
from inspector.text.gate import clean_line

_NAME: Final = 200


class Views:
    """Tells the builder what requests were made of."""

    def __init__(self, folding: Folding) -> None:
        self._folding = folding

    def assembled(self, data: dict[str, Any], record: int) -> None:
        """A request was put together."""
        manifest = mapping(data.get("manifest"))
        if integrity(manifest) == INVALID:
            what = f"the hash of {clean_line(text(manifest.get('viewId')), 80) or 'a manifest'}"
            message = f"{what} is not that of what it says"
            self._folding.found_at_event(rules.INVALID_MANIFEST, message, record)
        builder = self._folding.builder
        meta = mapping(manifest.get("meta"))
        for register, found in (
            ("model", meta.get("modelId")),
            ("provider", meta.get("providerId")),
            ("view policy", manifest.get("policy")),
        ):
            if text(found):
                builder.set(register, text(found)[:_NAME])
        window = natural(mapping(manifest.get("tokenBudget")).get("contextLength"))
        if window is not None:
            builder.set("window", window)
