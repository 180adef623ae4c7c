"""What is known of a company without asking a provider: the sandbox's, our own copy's, the stored answer's.

It runs in the caller's thread and takes no event loop, no HTTP client and no model: a process that is asked
only for what is known never loads them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from brskills_server.registry.answer import Answer
from brskills_server.registry.cache.entries import StoredCompany
from brskills_server.registry.cache.stored_answers import StoredAnswers
from brskills_server.registry.freshness import Freshness
from brskills_server.registry.payer import Payer, Payment
from brskills_server.registry.providers.results import Failed, Missing, Outdated, Skipped
from brskills_server.registry.sandbox import is_sandbox, sandbox_answer

if TYPE_CHECKING:  # not everybody has a copy
    from brskills_server.registry.snapshot.source import SnapshotSource

__all__ = ["LocalLookup", "Query"]


@dataclass(frozen=True, slots=True)
class Query:
    """What is left to ask the providers: a number, its demand, and the older record that is stored.

    ``copied``: what our own copy said, where it was read already. ``paid_at``: when a paid address last
    answered with nothing that met a demand; ``paid_in_vain``: it would again. ``payment``: without it no paid
    address is asked.
    """

    cnpj: str
    demand: Freshness
    stored: StoredCompany | None
    copied: Missing | Failed | Skipped | Outdated | None
    paid_at: int = 0
    paid_in_vain: bool = False
    payment: Payment | None = None

    def paid_by(self, payer: Payer | None) -> Query:
        """Return the query with the payer's payment."""
        return self if payer is None else replace(self, payment=Payment(payer))

    @property
    def may_pay(self) -> bool:
        """Whether a paid address may be asked."""
        return self.payment is not None and not self.paid_in_vain

    @property
    def has_paid(self) -> bool:
        """Whether a paid address has answered this look-up."""
        return self.payment is not None and self.payment.answered


class LocalLookup:
    """The first step of a look-up. ``clock``: epoch seconds.

    ``copied``: our own copy, if there is one; ``copy_first``: it is the first provider, and is read before
    the stored answers.
    """

    def __init__(
        self,
        answers: StoredAnswers,
        clock: Callable[[], float],
        copied: SnapshotSource | None = None,
        *,
        copy_first: bool = False,
    ) -> None:
        self.answers = answers
        self.clock = clock
        self.copied = copied
        self._copy = copied if copy_first else None

    def __call__(self, cnpj: str, demand: Freshness, since: int | None = None) -> Answer | Query:
        """What is known of a canonical number: the answer, or what to ask.

        ``since``: see ``StoredAnswers.find``. Raises ``CompanyNotFound`` and, for a number of the sandbox,
        ``SourcesUnavailable``.
        """
        if is_sandbox(cnpj):
            return sandbox_answer(cnpj, demand, int(self.clock()))
        copied = self._read_copy(self._copy, cnpj, demand, since) if self._copy else None
        if isinstance(copied, Answer):
            return copied
        stored = self.answers.find(cnpj, demand, since)
        if isinstance(stored, Answer):
            return stored
        older = stored if isinstance(stored, StoredCompany) else None
        if stored is None or not stored.paid_at:
            return Query(cnpj, demand, older, copied)
        return Query(
            cnpj, demand, older, copied, stored.paid_at, self.answers.was_paid_in_vain(stored, demand)
        )

    def _read_copy(
        self, copy: SnapshotSource, cnpj: str, demand: Freshness, since: int | None
    ) -> Answer | Missing | Failed | Skipped | Outdated:
        found = copy.read(cnpj)
        if not isinstance(found, str):
            return found
        now = int(self.clock())
        answer = Answer(found, now, now, live=True)
        if demand.max_data_age is None:
            return answer
        moments = (now,) if since is None else (now, since)
        if any(demand.allows_data_of(answer.record.data_base, moment) for moment in moments):
            return answer
        return Outdated(copy.provider, answer.record)
