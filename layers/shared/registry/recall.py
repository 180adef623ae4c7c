"""What is known of a company without asking a provider: the sandbox's, our own copy's, the stored answer's.

It runs in the caller's thread and takes no event loop, no HTTP client and no model: a process that is asked
only for what is known never loads them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from registry.answer import Answer
from registry.attempt import Failed, Missing, Outdated, Skipped
from registry.demand import Demand
from registry.sandbox import is_sandbox, sandbox_answer
from registry.stored import StoredCompany
from registry.stored_answers import StoredAnswers

if TYPE_CHECKING:  # not everybody has a copy
    from registry.copy_source import CopySource

__all__ = ["Query", "Recall"]


@dataclass(frozen=True, slots=True)
class Query:
    """What is left to ask the providers: a number, its demand, and the older record that is stored.

    ``copied``: what our own copy said, where it was read already.
    """

    cnpj: str
    demand: Demand
    stored: StoredCompany | None
    copied: Missing | Failed | Skipped | Outdated | None


class Recall:
    """The first step of a look-up. ``clock``: epoch seconds.

    ``copied``: our own copy, if there is one; ``copy_first``: it is the first provider, and is read before
    the stored answers.
    """

    def __init__(
        self,
        answers: StoredAnswers,
        clock: Callable[[], float],
        copied: CopySource | None = None,
        *,
        copy_first: bool = False,
    ) -> None:
        self.answers = answers
        self.clock = clock
        self.copied = copied
        self._copy = copied if copy_first else None

    def __call__(self, cnpj: str, demand: Demand) -> Answer | Query:
        """What is known of a canonical number: the answer, or what to ask.

        Raises ``CompanyNotFound`` and, for a number of the sandbox, ``SourcesUnavailable``.
        """
        if is_sandbox(cnpj):
            return sandbox_answer(cnpj, demand, int(self.clock()))
        copied = self._read_copy(self._copy, cnpj, demand) if self._copy else None
        if isinstance(copied, Answer):
            return copied
        stored = self.answers.find(cnpj, demand)
        if isinstance(stored, Answer):
            return stored
        return Query(cnpj, demand, stored, copied)

    def _read_copy(
        self, copy: CopySource, cnpj: str, demand: Demand
    ) -> Answer | Missing | Failed | Skipped | Outdated:
        found = copy.read(cnpj)
        if not isinstance(found, str):
            return found
        now = int(self.clock())
        answer = Answer(found, now, now, live=True)
        if demand.max_data_age is None or demand.allows_data_of(answer.record.data_base, now):
            return answer
        return Outdated(copy.provider, answer.record)
