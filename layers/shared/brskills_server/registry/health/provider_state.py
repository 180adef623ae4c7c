"""Which provider may be called now, and for which number: rate limits, paid calls and rejected numbers."""

import asyncio
from collections.abc import Sequence
from datetime import date
from typing import Literal

from brskills_server.registry.dates import start_of_day
from brskills_server.registry.health.breakers import Breakers
from brskills_server.registry.health.evidence import EVIDENCE_SECONDS, Evidence, of_companies
from brskills_server.registry.health.recent import Recent
from brskills_server.registry.health.state_sync import StateSync
from brskills_server.registry.providers import SNAPSHOT_ID
from brskills_server.registry.providers.provider import Provider
from brskills_server.registry.providers.results import AttemptResult, Rejected
from brskills_server.registry.query import Payer
from brskills_server.registry.values import read_date

SLOT_SECONDS = 62  # a minute, and two seconds for calls that overtake one another on their way
DUMP_DATE_SECONDS, DUMP_DATE_RETRY_SECONDS = 86_400, 600
_REMEMBERED = 1000  # payers with a used-up share
_RETRY_AFTER = 5  # when a caller may try again though no breaker or limit says so


class ProviderState:
    """The rules for all providers, over the shared state and what this process has seen.

    ``paid_per_day``: calls of paid addresses, at most ``providers.MOST_PAID_PER_DAY``.
    """

    def __init__(
        self, providers: Sequence[Provider], sync: StateSync, evidence: Evidence, paid_per_day: int = 0
    ) -> None:
        self._providers = providers
        self._state = sync.state
        self.sync = sync
        self.evidence = evidence
        self._paid_per_day = paid_per_day
        self.breakers = Breakers(sync, evidence)
        self._rejected: Recent[Literal["unfit", "rejected"]] = Recent(sync.state.clock)
        self._outages: dict[str, str] = {}  # by breaker, the end of the last outage that was seen here
        self._used_up: dict[str, int] = {}  # payers, and the day on which their share was used up
        self._paying = asyncio.Lock()  # look-ups of one process do not compete for the same second

    async def acquire(self, provider: Provider, payer: Payer | None = None) -> bool:
        """Return whether the provider may be called now; claim a half-open breaker's trial and the call.

        Without the store calls cannot be counted, so neither a provider with a rate limit nor a paid address
        is called. The payer's share is claimed first: a used-up share takes none of the day's calls.
        """
        if provider.paid and not (payer and self._has_paid_calls(payer)):
            return False
        if not await self.breakers.enter(provider):
            return False
        if payer and provider.paid:
            claimed = await self._claim_share(payer) and await self._claim_paid_call()
        else:
            claimed = provider.per_minute is None or await self._claim_slot(provider)
        if not claimed:
            self.breakers.abandon_trial(provider)
        return claimed

    async def _claim_slot(self, provider: Provider) -> bool:
        """Claim one of as many slots as calls are allowed in a minute, which was not used for a minute.

        So no minute, wherever it begins, holds more calls than allowed, however many processes run.
        """
        for slot in sorted(_slots(provider), key=self._state.number):
            now = self._state.now
            if self._state.number(slot) > now - SLOT_SECONDS or not self.sync.is_reachable:
                return False
            if await self.sync.claim(slot, now, at_most=now - SLOT_SECONDS):
                return True
        return False

    def _has_paid_calls(self, payer: Payer) -> bool:
        """Return whether, as far as this process knows, the day and the payer's share have calls left."""
        today = start_of_day(self._state.now)
        is_day_left = self._state.number("paid") < today + self._paid_per_day
        return is_day_left and self._used_up.get(payer.id) != today

    async def _claim_share(self, payer: Payer) -> bool:
        today = start_of_day(self._state.now)
        claimed = await self.sync.claim_share(payer)
        if claimed is False:  # not claimed again that day: a refused write costs as much as a write
            if len(self._used_up) >= _REMEMBERED:
                self._used_up.clear()
            self._used_up[payer.id] = today
        return claimed is True

    async def _claim_paid_call(self) -> bool:
        async with self._paying:
            today = start_of_day(self._state.now)
            used = max(self._state.number("paid"), today)
            while used < today + self._paid_per_day and self.sync.is_reachable:
                if await self.sync.claim("paid", used + 1, at_most=used):
                    return True
                used += 1  # another process has it; this one is never ahead of the store
            return False

    def dump_date(self, provider: Provider) -> date | None:
        """Return the day of a dump's data, if known."""
        return read_date(self._state.text(f"base:{provider.dump.id}"))

    def knows_days(self) -> bool:
        """Return whether the day of each dump's data is known."""
        return all(self.dump_date(provider) for provider in self._providers if provider.dump_date)

    async def claim_dump_date(self, provider: Provider) -> bool:
        """Return whether this look-up is the one that requests the day of a dump's data."""
        field, now = f"ask:{provider.dump.id}", self._state.now
        if provider.dump_date is None or self._state.number(field) > now:
            return False
        return await self.sync.claim(field, now + DUMP_DATE_RETRY_SECONDS, at_most=now) is not False

    def record_dump_date(self, provider: Provider, day: date) -> None:
        """Record the day of a dump's data."""
        self._state.set(f"base:{provider.dump.id}", day.isoformat())
        self._state.set(f"ask:{provider.dump.id}", self._state.now + DUMP_DATE_SECONDS)

    def is_believed(self, provider: Provider) -> bool:
        """Return whether its "no such company" counts.

        Our own copy is always believed: its build checks it. So is a paid address, as a control would cost
        money; see `has_found` for what it may confirm.
        """
        return provider.id == SNAPSHOT_ID or bool(provider.paid) or self.has_found(provider)

    def has_found(self, provider: Provider) -> bool:
        """Return whether it found some company within 15 minutes, a paid address here or at the open one.

        Whole sources have denied everything for hours.
        """
        addresses = {provider.id, provider.address}
        return any(self.evidence.is_operational(of_companies(address)) for address in addresses)

    async def claim_control(self, provider: Provider) -> bool:
        """Return whether the provider may be asked for a control now, once in 15 minutes; claim the call."""
        field, since = f"control:{provider.id}", self._state.now - EVIDENCE_SECONDS
        if self._state.number(field) > since or not await self.acquire(provider):
            return False
        if await self.sync.claim(field, self._state.now, at_most=since) is False:
            self.breakers.abandon_trial(provider)
            return False
        return True

    def rejection_of(self, provider: Provider, cnpj: str) -> Literal["", "unfit", "rejected"]:
        """Return why the provider is not called for this number again within a minute, if so.

        A rejection before the last outage may have been due to that, and is forgotten.
        """
        if self.breakers.seconds_open(provider) > 0:
            self._outages[provider.breaker] = str(self._state.number(f"open:{provider.breaker}"))
        return self._rejected.get(*self._key(provider, cnpj)) or ""

    def remember(self, why: Literal["unfit", "rejected"], provider: Provider, cnpj: str) -> None:
        """Do not call the provider for this number for a minute."""
        self._rejected.add(why, *self._key(provider, cnpj))

    def record_result(self, result: AttemptResult, cnpj: str) -> None:
        """Record what an attempt to look up this number says of the number, and of its provider."""
        if isinstance(result, Rejected) and result.unusable:
            self.remember("rejected", result.provider, cnpj)
        self.breakers.record(result, cnpj)

    def retry_after(self, cnpj: str) -> int:
        """Return the seconds until the first provider may be called again for this number."""
        return min((self._wait(provider, cnpj) for provider in self._providers), default=_RETRY_AFTER)

    def _wait(self, provider: Provider, cnpj: str) -> int:
        now = self._state.now
        free = min((self._state.number(slot) + SLOT_SECONDS for slot in _slots(provider)), default=now)
        rejected = self._rejected.seconds_left(*self._key(provider, cnpj))
        return max(self.breakers.seconds_open(provider), free - now, rejected, _RETRY_AFTER)

    def _key(self, provider: Provider, cnpj: str) -> tuple[str, ...]:
        return provider.address, cnpj, self._outages.get(provider.breaker, "")


def _slots(provider: Provider) -> list[str]:
    return [f"slot:{provider.id}:{n}" for n in range(provider.per_minute or 0)]
