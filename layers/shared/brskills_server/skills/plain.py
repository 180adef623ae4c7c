"""Answers that are plain data: their models describe them, and do not write them."""

import json
from typing import Any

__all__ = ["write"]

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def write(answer: dict[str, Any]) -> str:
    """The answer as JSON, as its model would write it."""
    return _ENCODER.encode(answer)
