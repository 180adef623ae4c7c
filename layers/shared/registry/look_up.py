"""The look-up: our own copy, else a stored answer, else the providers, else an older stored answer.

Its first step is ``registry.recall``, in the caller's thread; everything after it runs in the one
loop of the process (see ``registry.waiting``). Store operations: what our own copy has takes none; a fresh
stored answer takes one read; everything else the write of the result too, one read of the shared state a
second, at most one write of what changed in it, and one write for each call of a provider with a quota.
"""

import asyncio
from collections.abc import Hashable, Sequence
from datetime import date
from typing import NamedTuple

from registry.answer import Answer
from registry.asking import Asker, CopyAsker
from registry.attempt import (
    AttemptResult,
    Dropped,
    Failed,
    Found,
    Missing,
    ObserveAttempt,
    Outdated,
    Rejected,
    Skipped,
)
from registry.company import Record
from registry.demand import Demand, suitable
from registry.errors import CompanyNotFound, SourcesUnavailable
from registry.fail_safe_store import FailSafeStore
from registry.fetcher import Fetcher
from registry.health import ProviderHealth, in_order
from registry.hedging import ask_hedged, is_absence_confirmed
from registry.kept_answers import KeptAnswers
from registry.provider_state import ProviderState
from registry.providers import COPY_ID
from registry.providers.provider import Provider
from registry.recall import Query, Recall
from registry.recent import Recent
from registry.shared_view import SharedView
from registry.single_flight import SingleFlight
from registry.store import Store
from registry.stored import StoredAbsence, StoredCompany

__all__ = ["LookUp"]


class Unanswered(NamedTuple):
    """No source gave an answer that will do.

    ``nothing_failed``: as in ``SourcesUnavailable``. ``of_number``: a source had none to this number, which
    says nothing of others. ``paid``: a paid address has answered.
    """

    nothing_failed: bool
    of_number: bool
    paid: bool = False


Outcome = Answer | CompanyNotFound | Unanswered

_LATE = Unanswered(nothing_failed=False, of_number=True)


class LookUp:
    """Its steps. ``recall``: the first, with our own copy, if there is one.

    ``observe``: told of every attempt at a provider.
    ``paid``: paid addresses, for fresher data that is demanded; ``paid_per_day``: all their calls of a day.
    """

    def __init__(
        self,
        recall: Recall,
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
        self._copy_asker = CopyAsker(recall.copied) if recall.copied else None
        self._fetcher = fetcher
        self._clock = recall.clock
        remote = [provider for provider in providers if provider.id != COPY_ID]
        guarded = FailSafeStore(store)
        self._kept = KeptAnswers(guarded)
        self._shared = SharedView(guarded, self._clock)
        self._state = ProviderState(remote, self._shared, self._clock, paid_per_day)
        self._asker = Asker(fetcher, self._state, observe)
        self._under_way: SingleFlight[Outcome] = SingleFlight()
        self._failed: Recent[bool] = Recent(self._clock)  # numbers that failed alone
        self._prober = Asker(fetcher, self._state, lambda *_: None)  # a probe is in no figure
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
        able = suitable([*paid, *self._providers], query.demand, self._state.dump_date, self._clock())
        if isinstance(query.copied, Outdated):  # it is known already that there is such a company
            able.sort(key=lambda provider: provider.id != COPY_ID)
        cut_short: list[Provider] = []
        results = await ask_hedged(able, lambda provider: self._attempt(provider, query, cut_short))
        self._under_way.close(key)  # callers from now on may demand a fresher answer
        for result in results:
            if result.provider.id == COPY_ID:
                continue
            if result.provider not in cut_short:
                self._state.record_result(result, query.cnpj)
            elif isinstance(result, Rejected):  # overtaken, before it was asked for the number
                self._state.breakers.record_control(result)
        return await self._conclude(query, results)

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

    def _allows(self, demand: Demand, record: Record) -> bool:
        return demand.allows_data_of(record.data_base, self._clock())

    async def _attempt(self, provider: Provider, query: Query, cut_short: list[Provider]) -> AttemptResult:
        if self._copy_asker and provider.id == COPY_ID:
            result = query.copied or await self._copy_asker.ask(query.cnpj)
        else:
            payer = query.payment.payer if query.payment else None
            result = await self._asker.ask(provider, query.cnpj, query.demand.max_data_age, cut_short, payer)
        if provider.paid and query.payment and isinstance(result, Found | Missing):
            query.payment.answered = True
        if isinstance(result, Found) and not self._allows(query.demand, result.record):
            return Outdated(provider, result.record)
        return result

    async def _conclude(self, query: Query, results: Sequence[AttemptResult]) -> Outcome:
        now = int(self._clock())
        found = [result.record for result in results if isinstance(result, Found)]
        outdated = [result for result in results if isinstance(result, Outdated)]
        missing = [result for result in results if isinstance(result, Missing)]
        confirmed = is_absence_confirmed(results)
        nothing_failed = self._demanded_too_much(query.demand, results)
        unanswered = Unanswered(nothing_failed, any(map(_is_of_number, results)), query.has_paid)
        if found:
            text = await self._keep(query, [*found, *(result.record for result in outdated)], now)
            return Answer(text, now, now, live=True)
        kept = [result.record for result in outdated if result.provider.id != COPY_ID]
        if kept and not _is_newer(query.stored, kept):  # for callers who demand less
            await self._keep(query, sorted(kept, key=_day, reverse=True), now, now if query.has_paid else 0)
            return unanswered
        # Companies are never deleted from the registry: one group alone does not outweigh a stored record.
        if missing and not outdated and (confirmed or query.stored is None):
            return await self._conclude_absence(query, missing, confirmed) or unanswered
        if query.has_paid and query.stored:
            await asyncio.gather(self._kept.mark_paid(query.cnpj, query.stored, now), self._shared.publish())
        else:
            await self._shared.publish()
        return unanswered

    async def _conclude_absence(
        self, query: Query, missing: Sequence[Missing], confirmed: bool
    ) -> CompanyNotFound | None:
        """Keep it; return it as an error where it meets the demand."""
        now = int(self._clock())
        day = max((m.data_base for m in missing if m.data_base), default=None)
        base, paid = day.isoformat() if day else None, query.has_paid
        absence = StoredAbsence(confirmed, base, now, now if paid else 0)
        await asyncio.gather(self._kept.keep_absence(query.cnpj, absence), self._shared.publish())
        in_recent_data = any(not m.provider.monthly_dump for m in missing)
        if confirmed or in_recent_data or query.demand.allows_data_of(day, now):
            return CompanyNotFound(absence.confirmed, absence.data_base, paid=paid)
        return None

    def _demanded_too_much(self, demand: Demand, results: Sequence[AttemptResult]) -> bool:
        """Whether no source fails, and none has data as recent as demanded, or none may be asked now.

        Any caller can use up the quotas of the few sources with such data. So that is no failure where all of
        them have answered lately.
        """
        if demand.max_data_age is None or any(map(self._fails, results)):
            return False
        if any(isinstance(result, Outdated | Missing) for result in results):
            return True
        remote = [result.provider for result in results if result.provider.id != COPY_ID]
        return all(map(self._state.is_operational, remote))

    def _fails(self, result: AttemptResult) -> bool:
        """Whether a source failed, kept silent, or is left alone because it failed before."""
        if isinstance(result, Skipped):
            return result.number == "rejected" or self._state.breakers.seconds_open(result.provider) > 0
        return isinstance(result, Failed | Rejected | Dropped)

    async def _keep(self, query: Query, records: Sequence[Record], now: int, paid_at: int = 0) -> str:
        kept = self._kept.keep(query.cnpj, records, query.stored, now, paid_at)
        text, _ = await asyncio.gather(kept, self._shared.publish())
        return text


def _is_of_number(result: AttemptResult) -> bool:
    """Whether a source has no answer to this number, and may have one to any other."""
    return isinstance(result, Rejected | Dropped) or (isinstance(result, Skipped) and bool(result.number))


def _day(record: Record) -> date:
    """The day of a record's data; an unknown one counts as the oldest."""
    return record.data_base or date.min


def _is_newer(stored: StoredCompany | None, records: Sequence[Record]) -> bool:
    """Whether a stored record has newer data than each of these."""
    return stored is not None and all(_day(stored.record) > _day(record) for record in records)
