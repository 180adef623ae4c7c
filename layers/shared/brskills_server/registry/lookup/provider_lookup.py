"""The look-up: our own copy, else a stored answer, else the providers, else an older stored answer.

Its first step is ``brskills_server.registry.lookup.local_lookup``, in the caller's thread; everything after it runs in the one
loop of the process (see ``brskills_server.registry.lookup.blocking_lookup``). Store operations: what our own copy has takes none; a fresh
stored answer takes one read; everything else the write of the result too, one read of the shared state a
second, at most one write of what changed in it, and one write for each call of a provider with a quota.
"""

import asyncio
from collections.abc import Hashable, Sequence

from brskills_server.registry.answer import Answer
from brskills_server.registry.cache.kept_answers import KeptAnswers
from brskills_server.registry.company import Record
from brskills_server.registry.errors import CompanyNotFound, SourcesUnavailable
from brskills_server.registry.fail_safe_store import FailSafeStore
from brskills_server.registry.freshness import Freshness, eligible
from brskills_server.registry.health.provider_health import ProviderHealth, in_order
from brskills_server.registry.health.provider_state import ProviderState
from brskills_server.registry.health.recent import Recent
from brskills_server.registry.health.shared_view import SharedView
from brskills_server.registry.lookup.attempts import ProviderCaller, SnapshotCaller
from brskills_server.registry.lookup.conclusions import Conclusions, Outcome, Unanswered
from brskills_server.registry.lookup.hedging import ask_hedged
from brskills_server.registry.lookup.local_lookup import LocalLookup, Query
from brskills_server.registry.lookup.single_flight import SingleFlight
from brskills_server.registry.providers import SNAPSHOT_ID
from brskills_server.registry.providers.fetcher import Fetcher
from brskills_server.registry.providers.provider import Provider
from brskills_server.registry.providers.results import (
    AttemptResult,
    Found,
    Missing,
    ObserveAttempt,
    Outdated,
    Rejected,
)
from brskills_server.registry.store import Store

__all__ = ["ProviderLookup"]


_LATE = Unanswered(nothing_failed=False, of_number=True)


class ProviderLookup:
    """Its steps. ``recall``: the first, with our own copy, if there is one.

    ``observe``: told of every attempt at a provider.
    ``paid``: paid addresses, for fresher data that is demanded; ``paid_per_day``: all their calls of a day.
    """

    def __init__(
        self,
        recall: LocalLookup,
        providers: Sequence[Provider],
        fetcher: Fetcher,
        store: Store,
        observe: ObserveAttempt = lambda *_: None,
        paid: Sequence[Provider] = (),
        paid_per_day: int = 0,
    ) -> None:
        self.recall = recall
        self._providers = providers
        self._paid = paid
        self._copy_asker = SnapshotCaller(recall.copied) if recall.copied else None
        self._fetcher = fetcher
        self._clock = recall.clock
        remote = [provider for provider in providers if provider.id != SNAPSHOT_ID]
        guarded = FailSafeStore(store)
        self._shared = SharedView(guarded, self._clock)
        self._state = ProviderState(remote, self._shared, self._clock, paid_per_day)
        self._conclusions = Conclusions(KeptAnswers(guarded), self._shared, self._state, self._clock)
        self._asker = ProviderCaller(fetcher, self._state, observe)
        self._under_way: SingleFlight[Outcome] = SingleFlight()
        self._failed: Recent[bool] = Recent(self._clock)  # numbers that failed alone
        self._prober = ProviderCaller(fetcher, self._state, lambda *_: None)  # a probe is in no figure
        self._remote = remote

    async def ask(self, query: Query) -> Answer:
        """The providers' answer; raises as ``Registry.look_up`` does. Nothing runs on when it returns.

        Equal look-ups at once ask together; what older record serves where no source answers, and what they
        raise, is each one's own.
        """
        payer = query.payment.payer if query.may_pay and query.payment else None
        key = (query.cnpj, query.demand.of_sources(), payer)
        outcome = await self._under_way.run(key, lambda: self._ask_sources(query, key))
        match outcome:
            case Answer():
                return outcome
            case CompanyNotFound():
                raise CompanyNotFound(outcome.confirmed, outcome.data_base, paid=outcome.paid)
        return self.fall_back(query, outcome)

    async def _ask_sources(self, query: Query, key: Hashable) -> Outcome:
        await self._shared.refresh()
        self._state.share_evidence()
        paid = self._paid if query.may_pay else ()
        able = eligible([*paid, *self._providers], query.demand, self._state.dump_date, self._clock())
        if isinstance(query.copied, Outdated):  # it is known already that there is such a company
            able.sort(key=lambda provider: provider.id != SNAPSHOT_ID)
        cut_short: list[Provider] = []
        results = await ask_hedged(able, lambda provider: self._attempt(provider, query, cut_short))
        self._under_way.close(key)  # callers from now on may demand a fresher answer
        for result in results:
            if result.provider.id == SNAPSHOT_ID:
                continue
            if result.provider not in cut_short:
                self._state.record_result(result, query.cnpj)
            elif isinstance(result, Rejected):  # overtaken, before it was asked for the number
                self._state.breakers.record_control(result)
        return await self._conclusions.conclude(query, results)

    def fall_back(self, query: Query, why: Unanswered = _LATE) -> Answer:
        """The older stored record where it meets the demand; else raises ``SourcesUnavailable``."""
        if answer := self.recall.answers.older(query.stored, query.demand):
            return answer
        repeated = why.of_number and not why.nothing_failed and not self._failed.add(True, query.cnpj)
        raise SourcesUnavailable(
            self._state.retry_after(query.cnpj),
            nothing_failed=why.nothing_failed,
            repeated=repeated,
            paid=why.paid or query.has_paid,
        )

    async def refresh(self) -> None:
        """Bring the shared state of the providers up to date, and what this process knows better into it."""
        await self._shared.refresh()
        self._state.share_evidence()
        await self._shared.publish()

    async def probe(self) -> None:
        """Ask each provider without a recent result for the control: one well-known company, as evidence.

        Breakers and quotas hold as for a look-up. Nothing is stored, and no paid address is asked.
        """
        await self._shared.refresh()
        self._state.share_evidence()
        quiet = [provider for provider in self._remote if self._state.is_quiet(provider)]
        await asyncio.gather(*map(self._prober.probe, quiet))
        await self._shared.publish()

    def health(self) -> list[ProviderHealth]:
        """Each provider's state as last read, our own copy's as it is, in the order of preference."""
        names = [provider.id for provider in self._providers]
        return in_order(names, self._state.health(), self.recall.copied)

    async def close(self) -> None:
        """Close the connections to the providers."""
        await self._fetcher.close()

    def _allows(self, demand: Freshness, record: Record) -> bool:
        return demand.allows_data_of(record.data_base, self._clock())

    async def _attempt(self, provider: Provider, query: Query, cut_short: list[Provider]) -> AttemptResult:
        if self._copy_asker and provider.id == SNAPSHOT_ID:
            result = query.copied or await self._copy_asker.ask(query.cnpj)
        else:
            payer = query.payment.payer if query.payment else None
            result = await self._asker.ask(provider, query.cnpj, query.demand.max_data_age, cut_short, payer)
        if provider.paid and query.payment and isinstance(result, Found | Missing):
            query.payment.answered = True
        if isinstance(result, Found) and not self._allows(query.demand, result.record):
            return Outdated(provider, result.record)
        return result
