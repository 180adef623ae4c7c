"""The answer to a look-up: a record and its age.

The record is kept as its JSON text, which is served as it is.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from brskills_server.registry.dates import iso_instant

if TYPE_CHECKING:
    from brskills_server.registry.company import Record

__all__ = ["Answer"]


@dataclass(frozen=True)
class Answer:
    """A company as it is answered.

    ``text``: the JSON of its record. ``asked_at``: when the source answered, ``now``: the present time,
    both in epoch seconds. ``stale``: the sources failed and the record is older than it should be.
    ``live``: a source was asked for this answer, and gave it.
    """

    text: str
    asked_at: int
    now: int
    stale: bool = False
    live: bool = False

    def json(self) -> str:
        """The body of the answer: a ``Company`` as JSON."""
        stale = "true" if self.stale else "false"
        return (
            f'{self.text[:-1]},"consultado_em":"{iso_instant(self.asked_at)}","idade_segundos":{self.age},'
            f'"desatualizado":{stale}}}'
        )

    def content(self) -> dict[str, Any]:
        """The same as data: what parsing ``json()`` would give."""
        return {
            **json.loads(self.text),
            "consultado_em": iso_instant(self.asked_at),
            "idade_segundos": self.age,
            "desatualizado": self.stale,
        }

    @cached_property
    def record(self) -> Record:
        """The record as a model, made when it is first asked for: what is served does not need it."""
        from brskills_server.registry.company import Record

        return Record.model_validate_json(self.text)

    @property
    def age(self) -> int:
        """Seconds since the source answered."""
        return max(0, self.now - self.asked_at)

    @property
    def etag(self) -> str:
        """A weak ETag (RFC 9110, 8.8.3) of the record; the age is not a part of it."""
        return f'W/"{hashlib.blake2b(self.text.encode(), digest_size=12).hexdigest()}"'
