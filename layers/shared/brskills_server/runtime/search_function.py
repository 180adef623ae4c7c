"""The function that searches the indexes it mounts (``register.yaml``); ``adapters.search.dynamodb`` asks it.

It has no request of a caller, no key and no row of a company, and uses Python's own library alone: its code
is the folder ``layers/shared`` as it is.
"""

from pathlib import Path
from typing import Any

from brskills_server.adapters.search.function_messages import TOO_MUCH_WORK, read_criteria
from brskills_server.adapters.search.index_folder import IndexFolder
from brskills_server.registry.search.register_search import TooMuchWork
from brskills_server.registry.store import StoreFault

MOUNTED = Path("/mnt/indexes")


class SearchFailed(Exception):
    """A search without an answer. Its text, which Lambda logs, has nothing of the search."""


class SearchHandler:
    """A handler of searches in the indexes of a folder."""

    def __init__(self, folder: Path) -> None:
        self._indexes = IndexFolder(folder)

    def __call__(self, event: dict[str, Any], _context: object) -> Any:
        """Return a page of numbers, near words, ``TOO_MUCH_WORK``, or ``None`` without an index.

        Raise `SearchFailed`.
        """
        try:
            if "words" in event:
                return self._indexes.near_words(event["edition_id"], event["words"], event["limit"])
            criteria = read_criteria(event["criteria"])
            return self._indexes.find(event["edition_id"], criteria, event["after"], event["limit"])
        except TooMuchWork:
            return TOO_MUCH_WORK
        except StoreFault as fault:
            raise SearchFailed(type(fault.__cause__).__name__) from None


handler = SearchHandler(MOUNTED)
