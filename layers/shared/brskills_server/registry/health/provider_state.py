"""Who may be asked now, and for which number: quotas and paid calls, over what all instances share.

A provider limited to five calls a minute has five slots, and each call claims one that was not used for
a minute: so no minute, wherever it begins, holds more calls than allowed, however many instances run.
A paid call claims the next second of ``paid``; whoever is not the first to claim one tries the one after it.
What is shared: ``brskills_server.registry.health.shared_state``.
"""

import asyncio
from collections.abc import Callable, Sequence
from datetime import date
from typing import Literal

from brskills_server.registry.dates import start_of_day
from brskills_server.registry.health.breakers import Breakers
from brskills_server.registry.health.evidence import Evidence
from brskills_server.registry.health.provider_health import ProviderHealth, health_of
from brskills_server.registry.health.recent import Recent
from brskills_server.registry.health.shared_view import SharedView
from brskills_server.registry.payer import Payer
from brskills_server.registry.providers.provider import Provider
from brskills_server.registry.providers.results import AttemptResult, Rejected
from brskills_server.registry.values import read_date

__all__ = ["ProviderState"]

SLOT_SECONDS = 62  # a minute, and two seconds for calls that overtake one another on their way
DUMP_DATE_SECONDS, DUMP_DATE_RETRY_SECONDS = 86_400, 600
_REMEMBERED = 1000  # payers with a used-up share
_RETRY_AFTER = 5  # when a caller may try again though no breaker or quota says so


class ProviderState:
    """The rules for all providers, and the numbers that they rejected in this instance within a minute.

    ``view``: what is shared. ``clock``: epoch seconds. ``paid_per_day``: calls of paid addresses, at most
    ``brskills_server.registry.providers.MOST_PAID_PER_DAY``.
    """

    def __init__(
        self,
        providers: Sequence[Provider],
        view: SharedView,
        clock: Callable[[], float],
        paid_per_day: int = 0,
    ) -> None:
        self._providers = providers
        self._view = view
        self._clock = clock
        self._paid_per_day = paid_per_day
        self._evidence = Evidence(view, clock)
        self.breakers = Breakers(view, self._evidence, clock)
        self._rejected: Recent[Literal["unfit", "rejected"]] = Recent(clock)
        self._outages: dict[str, str] = {}  # when the last one of each breaker that was seen here ends
        self._spent: dict[str, int] = {}  # payers whose share of a day is used up
        self._paying = asyncio.Lock()  # look-ups of one process do not compete for the same second

    async def acquire(self, provider: Provider, payer: Payer | None = None) -> bool:
        """Whether the provider may be called now; claims the trial of an open group, and a quota slot.

        Without the store calls cannot be counted for all instances, so a provider with a quota is not called,
        nor a paid address. A paid call that was claimed counts, whatever becomes of it. The payer's share is
        claimed before the day's call: a used-up share takes none of the day's calls, and a share taken when
        those have just been used up could pay for nothing more that day.
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
        for slot in sorted(_slots(provider), key=self._view.number):
            now = self._now()
            if self._view.number(slot) > now - SLOT_SECONDS or not self._view.is_reachable:
                return False
            if await self._view.claim(slot, now, at_most=now - SLOT_SECONDS):
                return True
        return False

    def _has_paid_calls(self, payer: Payer) -> bool:
        """Whether, as far as this instance knows, the day and the payer's share have calls left."""
        today = start_of_day(self._clock())
        return self._view.number("paid") < today + self._paid_per_day and self._spent.get(payer.id) != today

    async def _claim_share(self, payer: Payer) -> bool:
        today = start_of_day(self._clock())
        claimed = await self._view.claim_share(payer)
        if claimed is False:  # it is not asked for again that day: a refused write costs as much as a write
            if len(self._spent) >= _REMEMBERED:
                self._spent.clear()
            self._spent[payer.id] = today
        return claimed is True

    async def _claim_paid_call(self) -> bool:
        async with self._paying:
            today = start_of_day(self._clock())
            used = max(self._view.number("paid"), today)
            while used < today + self._paid_per_day and self._view.is_reachable:
                if await self._view.claim("paid", used + 1, at_most=used):
                    return True
                used += 1  # another instance has it; what this one knows is never ahead of the store
            return False

    def dump_date(self, provider: Provider) -> date | None:
        """The day of a dump's data, if known."""
        return read_date(self._view.text(f"base:{provider.id}"))

    async def claim_dump_date(self, provider: Provider) -> bool:
        """Whether this look-up is the one that asks for the day of a dump's data."""
        field, now = f"ask:{provider.id}", self._now()
        if provider.dump_date is None or self._view.number(field) > now:
            return False
        return await self._view.claim(field, now + DUMP_DATE_RETRY_SECONDS, at_most=now) is not False

    def record_dump_date(self, provider: Provider, day: date) -> None:
        """Remember the day of a dump's data."""
        self._view.set(f"base:{provider.id}", day.isoformat())
        self._view.set(f"ask:{provider.id}", self._now() + DUMP_DATE_SECONDS)

    def rejection_of(self, provider: Provider, cnpj: str) -> Literal["", "unfit", "rejected"]:
        """Return why the provider need not be asked for this number again within a minute, if so.

        What was rejected before its breaker opened was not the number's fault, and is forgotten.
        """
        if self.breakers.seconds_open(provider) > 0:
            self._outages[provider.breaker] = str(self._view.number(f"open:{provider.breaker}"))
        return self._rejected.get(*self._key(provider, cnpj)) or ""

    def remember(self, why: Literal["unfit", "rejected"], provider: Provider, cnpj: str) -> None:
        """Leave the provider alone with this number for a minute."""
        self._rejected.add(why, *self._key(provider, cnpj))

    def record_result(self, result: AttemptResult, cnpj: str) -> None:
        """Keep what an attempt to look up this number says of the number, and of its provider."""
        if isinstance(result, Rejected) and result.unusable:
            self.remember("rejected", result.provider, cnpj)
        self.breakers.record(result, cnpj)

    def share_evidence(self) -> None:
        """See ``Evidence.share``."""
        for provider in self._providers:
            self._evidence.share(provider.id)

    def is_quiet(self, provider: Provider) -> bool:
        """Whether a provider may be probed; see ``Evidence.is_quiet``."""
        return self._evidence.is_quiet(provider.id)

    def is_operational(self, provider: Provider) -> bool:
        """Return whether the last known result of a provider is a recent success."""
        return self._evidence.last(provider.id).state(self._now()) == "operational"

    def retry_after(self, cnpj: str) -> int:
        """Seconds until the first provider may be called again for this number."""
        return min((self._wait(provider, cnpj) for provider in self._providers), default=_RETRY_AFTER)

    def _wait(self, provider: Provider, cnpj: str) -> int:
        now = self._now()
        free = min((self._view.number(slot) + SLOT_SECONDS for slot in _slots(provider)), default=now)
        rejected = self._rejected.seconds_left(*self._key(provider, cnpj))
        return max(self.breakers.seconds_open(provider), free - now, rejected, _RETRY_AFTER)

    def health(self) -> list[ProviderHealth]:
        """How each provider is, as this process knows it and as was last read of what all know."""
        return [
            health_of(provider, self._view, self._evidence.last(provider.id), self._now())
            for provider in self._providers
        ]

    def _key(self, provider: Provider, cnpj: str) -> tuple[str, ...]:
        return provider.address, cnpj, self._outages.get(provider.breaker, "")

    def _now(self) -> int:
        return int(self._clock())


def _slots(provider: Provider) -> list[str]:
    return [f"slot:{provider.id}:{n}" for n in range(provider.per_minute or 0)]
