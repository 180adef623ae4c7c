"""Answers that are plain data: their models describe them, and do not write them."""

import json
from typing import Any

__all__ = ["write"]


def write(answer: dict[str, Any]) -> str:
    """The answer as JSON, as its model would write it."""
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
