"""The look-up: our own copy, else a stored answer, else the providers, else an older stored answer.

Its first step runs in the caller's thread and needs no event loop; everything after it runs in the one
loop of the process (see ``registry``). Store operations: what our own copy has takes none; a fresh stored
answer takes one read; everything else the write of the result too, one read of the shared state a second,
at most one write of what changed in it, and one write for each call of a provider with a quota.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from registry.answer import Answer
from registry.asking import Asker
from registry.attempt import AttemptResult, Failed, Found, Missing, ObserveAttempt, Outdated, Skipped
from registry.company import Record
from registry.demand import Demand, suitable
from registry.errors import CompanyNotFound, SourcesUnavailable
from registry.evidence import WELL_KNOWN
from registry.fail_safe_store import FailSafeStore
from registry.hedging import ask_hedged, is_absence_confirmed
from registry.provider_state import ProviderHealth, ProviderState
from registry.providers import COPY_ID, Provider
from registry.sandbox import is_sandbox, sandbox_answer
from registry.shared_view import SharedView
from registry.store import Store
from registry.stored import StoredAbsence, StoredCompany
from registry.stored_answers import StoredAnswers

if TYPE_CHECKING:  # the HTTP client is slow to import, and not everybody has a copy
    from registry.copy_source import CopySource
    from registry.fetcher import Fetcher

__all__ = ["LookUp", "Query"]


@dataclass(frozen=True, slots=True)
class Query:
    """What is left to ask the providers: a number, its demand, and the older record that is stored.

    ``copied``: what our own copy said, where it was read already.
    """

    cnpj: str
    demand: Demand
    stored: StoredCompany | None
    copied: Missing | Failed | Skipped | Outdated | None


class LookUp:
    """Its steps. ``clock``: epoch seconds; ``fresh_seconds``: how long a stored answer serves.

    ``observe``: told of every attempt at a provider.
    ``copied``: our own copy, if there is one; where it is the first provider it is read before the store.
    ``paid``: paid addresses, for fresher data that is demanded; ``paid_per_day``: all their calls of a day.
    """

    def __init__(
        self,
        providers: Sequence[Provider],
        fetcher: "Fetcher",
        store: Store,
        fresh_seconds: int,
        clock: Callable[[], float],
        observe: ObserveAttempt = lambda *_: None,
        copied: "CopySource | None" = None,
        paid: Sequence[Provider] = (),
        paid_per_day: int = 0,
    ) -> None:
        self._providers = providers
        self._paid = paid
        self._copied = copied
        self._fetcher = fetcher
        self._clock = clock
        remote = [provider for provider in providers if provider.id != COPY_ID]
        guarded = FailSafeStore(store)
        self._answers = StoredAnswers(guarded, fresh_seconds, clock)
        self._shared = SharedView(guarded, clock)
        self._state = ProviderState(remote, self._shared, clock, paid_per_day)
        self._asker = Asker(fetcher, self._state, observe)
        self._prober = Asker(fetcher, self._state, lambda *_: None)  # a probe is in no figure
        self._remote = remote

    def recall(self, cnpj: str, demand: Demand) -> Answer | Query:
        """What is known of a canonical number without a provider: the answer, or what to ``ask``.

        Raises ``CompanyNotFound`` and, for a number of the sandbox, ``SourcesUnavailable``.
        """
        if is_sandbox(cnpj):
            return sandbox_answer(cnpj, demand, int(self._clock()))
        copied = self._read_copy(cnpj, demand)
        if isinstance(copied, Answer):
            return copied
        stored = self._answers.find(cnpj, demand)
        if isinstance(stored, Answer):
            return stored
        return Query(cnpj, demand, stored, copied)

    async def ask(self, query: Query) -> Answer:
        """The providers' answer; raises as ``Registry.look_up`` does. Nothing runs on when it returns."""
        await self._shared.refresh()
        self._state.share_evidence()
        able = suitable([*self._paid, *self._providers], query.demand, self._state.dump_date, self._clock())
        if isinstance(query.copied, Outdated):  # it is known already that there is such a company
            able.sort(key=lambda provider: provider.id != COPY_ID)
        results = await ask_hedged(able, lambda provider: self._attempt(provider, query))
        for result in results:
            if result.provider.id != COPY_ID:
                self._state.record_result(result)
        return await self._conclude(query, results)

    def fall_back(self, query: Query) -> Answer:
        """The older stored record where it meets the demand; else raises ``SourcesUnavailable``."""
        if answer := self._answers.older(query.stored, query.demand):
            return answer
        raise SourcesUnavailable(self._state.retry_after())

    async def refresh(self) -> None:
        """Bring the shared state of the providers up to date, and what this process knows better into it."""
        await self._shared.refresh()
        self._state.share_evidence()
        await self._shared.publish()

    async def probe(self) -> None:
        """Ask each provider of which nothing was heard lately for one well-known company: as evidence alone.

        Breakers and quotas hold as for a look-up. Nothing is stored, and no paid address is asked.
        """
        await self._shared.refresh()
        self._state.share_evidence()
        quiet = [provider for provider in self._remote if self._state.is_quiet(provider)]
        for result in await asyncio.gather(*(self._prober.ask(one, WELL_KNOWN, None) for one in quiet)):
            self._state.record_result(result)
        await self._shared.publish()

    def health(self) -> list[ProviderHealth]:
        """Each provider's state as last read, our own copy's as it is, in the order of preference."""
        copied = self._copied.health() if self._copied else None
        states = {state.id: state for state in (*self._state.health(), *([copied] if copied else []))}
        return [states[provider.id] for provider in self._providers if provider.id in states]

    async def close(self) -> None:
        """Close the connections to the providers."""
        await self._fetcher.close()

    def _allows(self, demand: Demand, record: Record) -> bool:
        return demand.allows_data_of(record.data_base, self._clock())

    def _read_copy(
        self, cnpj: str, demand: Demand
    ) -> "Answer | Missing | Failed | Skipped | Outdated | None":
        """What our own copy has, where it is the first provider: it is read before anything else."""
        if self._copied is None or self._providers[0].id != COPY_ID:
            return None
        found = self._copied.read(cnpj)
        if not isinstance(found, str):
            return found
        now = int(self._clock())
        answer = Answer(found, now, now, live=True)
        if demand.max_data_age is None or self._allows(demand, answer.record):
            return answer
        return Outdated(self._copied.provider, answer.record)

    async def _attempt(self, provider: Provider, query: Query) -> AttemptResult:
        if self._copied and provider.id == COPY_ID:
            result = query.copied or await self._copied.ask(query.cnpj)
        else:
            result = await self._asker.ask(provider, query.cnpj, query.demand.max_data_age)
        if isinstance(result, Found) and not self._allows(query.demand, result.record):
            return Outdated(provider, result.record)
        return result

    async def _conclude(self, query: Query, results: Sequence[AttemptResult]) -> Answer:
        now = int(self._clock())
        found = [result.record for result in results if isinstance(result, Found)]
        outdated = [result for result in results if isinstance(result, Outdated)]
        missing = [result for result in results if isinstance(result, Missing)]
        confirmed = is_absence_confirmed(results)
        if found:
            text = await self._keep(query, [*found, *(result.record for result in outdated)], now)
            return Answer(text, now, now, live=True)
        kept = [result.record for result in outdated if result.provider.id != COPY_ID]
        if kept and not _is_newer(query.stored, kept):  # for callers who demand less
            await self._keep(query, sorted(kept, key=_day, reverse=True), now)
            return self.fall_back(query)
        # Companies are never deleted from the registry: one group alone does not outweigh a stored record.
        if missing and not outdated and (confirmed or query.stored is None):
            return await self._conclude_absence(query, missing, confirmed)
        await self._shared.publish()
        return self.fall_back(query)

    async def _conclude_absence(self, query: Query, missing: Sequence[Missing], confirmed: bool) -> Answer:
        now = int(self._clock())
        day = max((m.data_base for m in missing if m.data_base), default=None)
        absence = StoredAbsence(confirmed, day.isoformat() if day else None, now)
        await asyncio.gather(self._answers.keep_absence(query.cnpj, absence), self._shared.publish())
        in_recent_data = any(not m.provider.monthly_dump for m in missing)
        if confirmed or in_recent_data or query.demand.allows_data_of(day, now):
            raise CompanyNotFound(absence.confirmed, absence.data_base)
        return self.fall_back(query)

    async def _keep(self, query: Query, records: Sequence[Record], now: int) -> str:
        kept = self._answers.keep(query.cnpj, records, query.stored, now)
        text, _ = await asyncio.gather(kept, self._shared.publish())
        return text


def _day(record: Record) -> date:
    """The day of a record's data; an unknown one counts as the oldest."""
    return record.data_base or date.min


def _is_newer(stored: StoredCompany | None, records: Sequence[Record]) -> bool:
    """Whether a stored record has newer data than each of these."""
    return stored is not None and all(_day(stored.record) > _day(record) for record in records)
