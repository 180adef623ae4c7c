"""The look-up at the providers, in the process's event loop, after ``local_lookup`` found no answer."""

import asyncio
from collections.abc import Callable, Hashable, Sequence
from datetime import date, timedelta
from functools import partial

from brskills_server.registry.answer import Answer
from brskills_server.registry.dates import day_of
from brskills_server.registry.errors import CompanyNotFound, SourcesUnavailable
from brskills_server.registry.frontier import may_be_new
from brskills_server.registry.health.health import Health
from brskills_server.registry.health.provider_state import ProviderState
from brskills_server.registry.health.recent import Recent
from brskills_server.registry.health.state_sync import StateSync
from brskills_server.registry.lookup.conclusions import Outcome, Unanswered, conclude
from brskills_server.registry.lookup.hedging import ask_hedged
from brskills_server.registry.lookup.local_lookup import LocalLookup, PendingLookup
from brskills_server.registry.lookup.provider_caller import ProviderCaller
from brskills_server.registry.lookup.single_flight import SingleFlight
from brskills_server.registry.providers import SNAPSHOT_ID
from brskills_server.registry.providers.client import ProviderClient
from brskills_server.registry.providers.provider import Provider
from brskills_server.registry.providers.results import ObserveAttempt, Outdated, Rejected
from brskills_server.registry.query import Freshness

_DUMP_AGE = timedelta(days=60)  # the most that is usual
_TIMED_OUT = Unanswered(nothing_failed=False, of_number=True)


class ProviderLookup:
    """Look-ups at these providers, in the order of preference.

    ``observe``: called after every attempt. ``paid``: paid addresses, for fresher data. ``paid_per_day``:
    all their calls of a day.
    """

    def __init__(
        self,
        local: LocalLookup,
        health: Health,
        providers: Sequence[Provider],
        client: ProviderClient,
        observe: ObserveAttempt = lambda *_: None,
        paid: Sequence[Provider] = (),
        paid_per_day: int = 0,
    ) -> None:
        self.local = local
        self.health = health
        self._providers = providers
        self._paid = paid
        self._client = client
        self._clock = local.clock
        self._remote = [provider for provider in providers if provider.id != SNAPSHOT_ID]
        self._sync = StateSync(health.state, health.store)
        self._state = ProviderState(self._remote, self._sync, health.evidence, paid_per_day)
        self._caller = ProviderCaller(client, self._state, self._clock, observe, local.snapshot)
        self._prober = ProviderCaller(client, self._state, self._clock, lambda *_: None)  # not in metrics
        self._under_way: SingleFlight[Outcome] = SingleFlight()
        self._failed: Recent[bool] = Recent(self._clock)  # numbers without an answer

    async def look_up(self, pending: PendingLookup) -> Answer:
        """Return the providers' answer. Raise ``CompanyNotFound`` and ``SourcesUnavailable``.

        Equal concurrent look-ups share one round of calls; the stale answer and the exception where no
        source answers are each one's own. No call continues when it returns.
        """
        query = pending.query
        key = (query.cnpj, query.freshness.of_sources(), pending.payer)
        outcome = await self._under_way.run(key, lambda: self._call_sources(pending, key))
        match outcome:
            case Answer():
                return outcome
            case CompanyNotFound():
                raise CompanyNotFound(outcome.confirmed, outcome.data_base, paid=outcome.paid)
        return self.fall_back(pending, outcome)

    async def _call_sources(self, pending: PendingLookup, key: Hashable) -> Outcome:
        await self._refresh()
        paid = self._paid if pending.payer else ()
        freshness = pending.query.freshness
        able = eligible([*paid, *self._providers], freshness, self._state.dump_date, self._clock())
        if isinstance(pending.snapshot, Outdated):  # it has shown that there is such a company
            able.sort(key=lambda provider: provider.id != SNAPSHOT_ID)
        cut_short: list[Provider] = []
        attempt = partial(self._caller.call, pending=pending, cut_short=cut_short)
        copy = self.local.snapshot
        roots = copy.frontier if copy else {}
        today = day_of(int(self._clock()))
        is_new = may_be_new(pending.query.cnpj, today - _DUMP_AGE, today, roots)
        results = await ask_hedged(able, attempt, self._caller.believe, may_be_new=is_new)
        self._under_way.close(key)  # callers from now on may require a fresher answer
        for result in results:
            if result.provider.id == SNAPSHOT_ID:
                continue
            if result.provider not in cut_short:
                self._state.record_result(result, pending.query.cnpj)
            elif isinstance(result, Rejected):  # overtaken, before it was called for the number
                self._state.breakers.record_control(result)
        outcome, entry = conclude(pending, results, self._state, int(self._clock()), roots)
        save = partial(self.local.cache.save, pending.query.cnpj)
        saving = [self._sync.run(partial(save, entry))] if entry else []
        await asyncio.gather(*saving, self._sync.publish())
        return outcome

    def fall_back(self, pending: PendingLookup, why: Unanswered = _TIMED_OUT) -> Answer:
        """Return the older stored record if it is fresh enough. Raise ``SourcesUnavailable``."""
        cnpj = pending.query.cnpj
        if answer := self.local.cache.stale_answer(pending.stored, pending.query.freshness):
            return answer
        repeated = why.of_number and not why.nothing_failed and not self._failed.add(True, cnpj)
        raise SourcesUnavailable(
            self._state.retry_after(cnpj),
            lasting=why.lasting,
            nothing_failed=why.nothing_failed,
            repeated=repeated,
            paid=why.paid or pending.has_paid,
        )

    async def refresh(self) -> None:
        """Read the shared state of the providers, and write what this process has seen."""
        await self._refresh()
        await self._sync.publish()

    async def probe(self) -> None:
        """Request the control of each provider without a recent result, within breakers and rate limits."""
        await self._refresh()
        quiet = [provider for provider in self._remote if self.health.evidence.is_quiet(provider.id)]
        await asyncio.gather(*map(self._prober.probe, quiet))
        await self._sync.publish()

    async def close(self) -> None:
        """Close the connections to the providers."""
        await self._client.close()

    async def _refresh(self) -> None:
        await self._sync.refresh()
        self.health.evidence.share()


def eligible(
    providers: Sequence[Provider],
    freshness: Freshness,
    dump_date: Callable[[Provider], date | None],
    now: float,
) -> list[Provider]:
    """Return the providers whose data may be fresh enough, the monthly dumps last.

    Without a limit on the age of the data: all that are free, in their order. ``dump_date``: return the day
    of a provider's dump, if it is known.
    """
    if freshness.max_data_age is None:
        return [provider for provider in providers if provider.paid is None]

    def may_meet(provider: Provider) -> bool:
        if "data_base" in provider.fields or provider.id == SNAPSHOT_ID:  # each record has its day
            return True
        day = dump_date(provider)
        is_unknown_yet = day is None and provider.dump_date is not None and not provider.passes_on
        return is_unknown_yet or freshness.allows_data_of(day, now)

    return sorted(filter(may_meet, providers), key=lambda provider: provider.monthly_dump)
