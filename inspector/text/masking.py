"""Values of JSON without the secrets in them."""

import json
from typing import Any

from inspector.text.jsontext import json_text
from inspector.text.redaction import redacted
from inspector.text.secret_json import redacted_json
from inspector.text.secret_shapes import MARK


def masked(value: Any) -> Any:
    """A value in which the mark stands for every secret that its texts or its names tell of."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return redacted(value)
    try:
        return json.loads(redacted_json(json_text(value)))
    except (ValueError, RecursionError):
        # What is no JSON any more is not shown at all.
        return MARK
