"""The answer: a record and its age, ready to be sent.

The record is kept as the JSON it is stored as; its age is appended when it is sent, so that a stored
answer is parsed once, to make sure that it is whole, and written never.
"""

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property

from registry.company import Company

__all__ = ["Answer"]


@dataclass(frozen=True)
class Answer:
    """A company as it is answered.

    ``record``: JSON of the ``Record``. ``asked_at``, ``now``: epoch seconds. ``stale``: the sources
    failed and the record is older than it should be.
    """

    record: str
    asked_at: int
    now: int
    stale: bool = False
    sandbox: bool = False

    def json(self) -> str:
        """The body of the answer."""
        moment = datetime.fromtimestamp(self.asked_at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        age = max(0, self.now - self.asked_at)
        stale = "true" if self.stale else "false"
        return (
            f'{self.record[:-1]},"consultado_em":"{moment}","idade_segundos":{age},"desatualizado":{stale}}}'
        )

    @cached_property
    def company(self) -> Company:
        """The answer as a model."""
        return Company.model_validate_json(self.json())

    @property
    def etag(self) -> str:
        """A weak ETag (RFC 9110, 8.8.3) of the record; its age is no part of it."""
        return f'W/"{hashlib.blake2b(self.record.encode(), digest_size=12).hexdigest()}"'
