"""The search beside the snapshot in DynamoDB: a function has the index, the month's table the rows.

The item of the current month names the function (``search``) where the builder wrote an index.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Protocol

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from brskills_server.adapters.aws import aws_client
from brskills_server.adapters.search.function_messages import TOO_MUCH_WORK, read_found, write_criteria
from brskills_server.adapters.snapshots.dynamodb import DynamoMonths, open_months
from brskills_server.adapters.snapshots.stored import Month
from brskills_server.adapters.stores import StoreSettings
from brskills_server.registry.search.criteria import Criteria
from brskills_server.registry.search.register_search import (
    EditionGone,
    Page,
    RegisterSearch,
    TooMuchWork,
)
from brskills_server.registry.snapshot.rows import SnapshotCompany
from brskills_server.registry.store import StoreFault

_SECONDS = 6.0
"""For an answer: a function's first search starts it, mounts its indexes and reads them cold. On AWS a search
delays no other."""


class SearchFunctions(Protocol):
    """Functions that search (``runtime.search_function``), by their names."""

    def ask(self, function: str, **asked: Any) -> Any:
        """Return a function's answer, ``None`` where it does not exist. Raise ``StoreFault``."""


class LambdaFunctions:
    """``SearchFunctions`` on AWS, by one request without a retry."""

    def ask(self, function: str, **asked: Any) -> Any:
        """Invoke a function, and wait for its answer."""
        try:
            answer = self._client.invoke(FunctionName=function, Payload=json.dumps(asked))
            content = answer["Payload"].read()
        except (BotoCoreError, ClientError) as error:
            code = error.response["Error"]["Code"] if isinstance(error, ClientError) else type(error).__name__
            if code == "ResourceNotFoundException":
                return None
            raise StoreFault(f"the search: {code}") from error
        if "FunctionError" in answer:
            raise StoreFault("the search: the function failed")
        return json.loads(content)

    @cached_property
    def _client(self) -> Any:  # made by the first search: most calls are none
        config = Config(connect_timeout=1, read_timeout=_SECONDS, retries={"total_max_attempts": 1})
        return aws_client("lambda", config)


class DynamoSearch:
    """A ``RegisterSearch`` in the current month: the table of the one before has no index that lasts."""

    def __init__(self, months: DynamoMonths, functions: SearchFunctions) -> None:
        self._months = months
        self._functions = functions

    def search(self, criteria: Criteria, after: str, limit: int, edition_id: str = "") -> Page | None:
        """Return the first companies behind ``after``, by three requests or four."""
        month = self._month()
        if month is None:
            return None
        if edition_id not in {"", month.edition.id}:
            raise EditionGone
        fields = write_criteria(criteria)
        answer = self._ask(month, criteria=fields, after=after, limit=limit)
        if answer is None:
            return None
        found = read_found(answer)
        return found.page(month.edition, self._companies(month, found.numbers))

    def near_words(self, words: Sequence[str], limit: int = 5) -> list[str]:
        """Return words that are one letter away from those of ``words`` that no name has."""
        month = self._month()
        answer = self._ask(month, words=[*words], limit=limit) if month else None
        return list(answer or ())

    def _month(self) -> Month | None:
        """Return the current month, if it has an index."""
        month = self._months.in_place(None)
        return month if month and month.search else None

    def _ask(self, month: Month, **asked: Any) -> Any:
        answer = self._functions.ask(month.search, edition_id=month.edition.id, **asked)
        if answer == TOO_MUCH_WORK:
            raise TooMuchWork
        return answer

    def _companies(self, month: Month, numbers: Sequence[str]) -> list[SnapshotCompany]:
        """Return rows. Raise ``ValueError`` where the month does not have them; too long ones are empty."""
        keys = sorted({*numbers, *(number[:8] for number in numbers)})
        bodies = self._months.rows(month, keys)
        if len(bodies) != len(keys):
            raise ValueError("an index of companies that the month does not have")
        companies = [SnapshotCompany(one, bodies[one], bodies[one[:8]], month.edition) for one in numbers]
        return [one for one in companies if one.establishment_row and one.company_row]


def open_search(settings: StoreSettings) -> RegisterSearch:
    """Return the search beside the stores in DynamoDB, without a request yet."""
    return DynamoSearch(open_months(settings), LambdaFunctions())
