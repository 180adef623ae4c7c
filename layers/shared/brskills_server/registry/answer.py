"""The answer to a look-up: a company's record, which stays JSON text from cache to response, and its age."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from time import gmtime, strftime
from typing import TYPE_CHECKING, Any

from brskills_server.registry.dates import INSTANT

if TYPE_CHECKING:  # pydantic costs 0.3 of the floor of a cold start
    from brskills_server.registry.company import Record


@dataclass(frozen=True)
class RecordText:
    """A company's record as JSON."""

    text: str

    @cached_property
    def record(self) -> Record:
        """The record as a model, built on first use: a response needs only the text."""
        from brskills_server.registry.company import Record  # pydantic is slow to import

        return Record.model_validate_json(self.text)


@dataclass(frozen=True)
class Answer(RecordText):
    """A company's record and its age; times are in epoch seconds.

    ``stale``: the sources failed and the record is too old. ``live``: a source answered this very look-up.
    """

    asked_at: int
    now: int
    stale: bool = False
    live: bool = False

    def json(self) -> str:
        """Return the answer as the JSON of a ``company.Company``."""
        instant = strftime(INSTANT, gmtime(self.asked_at))
        stale = "true" if self.stale else "false"
        age = f'"consultado_em":"{instant}","idade_segundos":{self.age},"desatualizado":{stale}'
        return f"{self.text[:-1]},{age}}}"

    def content(self) -> dict[str, Any]:
        """Return the answer as data."""
        answer: dict[str, Any] = json.loads(self.json())
        return answer

    @property
    def age(self) -> int:
        """Seconds since the source answered."""
        return max(0, self.now - self.asked_at)

    @property
    def etag(self) -> str:
        """A weak ETag (RFC 9110, 8.8.3) of the record, without its age."""
        return f'W/"{hashlib.blake2b(self.text.encode(), digest_size=12).hexdigest()}"'
