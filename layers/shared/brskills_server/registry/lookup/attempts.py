"""One attempt at one provider: whether it may be asked now, what it says, and the day of its dump."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from brskills_server.registry.company import Record
from brskills_server.registry.health.evidence import WELL_KNOWN
from brskills_server.registry.health.provider_state import ProviderState
from brskills_server.registry.payer import Payer
from brskills_server.registry.providers.provider import Provider
from brskills_server.registry.providers.results import (
    AttemptResult,
    Failed,
    Found,
    Missing,
    ObserveAttempt,
    Skipped,
)
from brskills_server.registry.snapshot.source import SnapshotSource

if TYPE_CHECKING:  # the HTTP client is slow to import
    from brskills_server.registry.providers.fetcher import Fetcher

__all__ = ["ProviderCaller", "SnapshotCaller"]

_COPY_WORKERS = 8  # threads of its own, as those of ``fail_safe_store``


class ProviderCaller:
    """Asks the providers over HTTP. ``state``: who may be called; ``observe``: told of every attempt."""

    def __init__(self, fetcher: "Fetcher", state: ProviderState, observe: ObserveAttempt) -> None:
        self._fetcher = fetcher
        self._state = state
        self._observe = observe
        self._first_day = asyncio.Lock()  # look-ups at once wait for the one that asks for an unknown day

    async def ask(
        self,
        provider: Provider,
        cnpj: str,
        max_data_age: int | None,
        cut_short: list[Provider],
        payer: Payer | None = None,
    ) -> AttemptResult:
        """What the provider says of a canonical number.

        ``max_data_age`` (days), ``payer``: for a paid address.

        Nothing of a paid address without its token can be billed, so that one is not even claimed.
        A provider in doubt is asked for the control first; ``cut_short`` gets one that was cancelled at it.
        """
        if number := self._state.rejection_of(provider, cnpj):
            return self._skip(provider, number)
        if await self._lacks_token(provider):
            self._observe(provider.id, "failed", None)
            return Failed(provider)
        if not await self._state.acquire(provider, payer):
            return self._skip(provider)
        if self._state.breakers.needs_control(provider):
            try:
                passed = await self._control(provider)
            except asyncio.CancelledError:
                cut_short.append(provider)
                raise
            if not passed or not await self._state.acquire(provider):
                return self._skip(provider)
        result = await self._fetch(provider, cnpj, max_data_age)
        if isinstance(result, Skipped):
            self._state.remember("unfit", provider, cnpj)
        return await self._with_dump_date(result)

    async def probe(self, provider: Provider) -> None:
        """Ask for the control, if the provider may be called now."""
        if await self._state.acquire(provider):
            await self._control(provider)

    async def _control(self, provider: Provider) -> bool:
        breakers = self._state.breakers
        breakers.begin_control(provider)
        try:
            result = await self._fetch(provider, WELL_KNOWN, None)
        except asyncio.CancelledError:
            breakers.abandon_trial(provider)
            raise
        return breakers.record_control(result)

    def _skip(self, provider: Provider, number: Literal["", "unfit", "rejected"] = "") -> Skipped:
        self._observe(provider.id, "rejected" if number else "skipped", None)
        return Skipped(provider, number)

    async def _lacks_token(self, provider: Provider) -> bool:
        if provider.paid is None or self._state.breakers.seconds_open(provider) > 0:
            return False
        return not await self._fetcher.has_token(provider)

    async def _fetch(self, provider: Provider, cnpj: str, max_data_age: int | None) -> AttemptResult:
        began, outcome = time.perf_counter(), "dropped"
        try:
            result = await self._fetcher.fetch_company(provider, cnpj, max_data_age)
            outcome = "rejected" if isinstance(result, Skipped) else type(result).__name__.lower()
        finally:  # the attempt may be cancelled meanwhile
            self._observe(provider.id, outcome, time.perf_counter() - began)
        return result

    async def _with_dump_date(self, result: AttemptResult) -> AttemptResult:
        """The result with the day of the dump that it comes from."""
        provider = result.provider
        if not isinstance(result, Found | Missing) or provider.dump_date is None:
            return result
        is_known = self._state.dump_date(provider) is not None
        async with nullcontext() if is_known else self._first_day:
            if await self._state.claim_dump_date(provider):
                day = await self._fetcher.fetch_dump_date(provider)
                if day:
                    self._state.record_dump_date(provider, day)
        day = self._state.dump_date(provider)
        if isinstance(result, Missing):
            return replace(result, data_base=day)
        return replace(result, record=result.record.model_copy(update={"data_base": day}))


class SnapshotCaller:
    """Asks our own copy in its turn, where providers come before it."""

    def __init__(self, copied: SnapshotSource) -> None:
        self._copied = copied
        self._workers = ThreadPoolExecutor(_COPY_WORKERS, "registry-copy")

    async def ask(self, cnpj: str) -> AttemptResult:
        """``SnapshotSource.read`` beside the event loop, and no longer than the provider's time-out."""
        provider = self._copied.provider
        try:
            async with asyncio.timeout(provider.timeout):
                result = await asyncio.get_running_loop().run_in_executor(
                    self._workers, self._copied.read, cnpj
                )
            if not isinstance(result, str):
                return result
            return Found(provider, Record.model_validate_json(result))
        except TimeoutError:
            self._copied.rest()
        except ValueError:  # what the rows say is not a record
            pass
        return Failed(provider)
