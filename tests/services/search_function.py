"""The function that has the indexes, called here instead of on AWS."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from brskills_server.runtime.search_function import SearchHandler


class FunctionHere:
    """``SearchFunctions`` with one function (``name``) over a folder of indexes."""

    def __init__(self, name: str, folder: Path) -> None:
        self._name = name
        self._handler = SearchHandler(folder)

    def ask(self, function: str, **asked: Any) -> Any:
        """Return what the function answers, both ways as JSON."""
        if function != self._name:
            return None
        return json.loads(json.dumps(self._handler(json.loads(json.dumps(asked)), None)))
