"""One call of one source: whether it may be called now, its result, and the day of its dump."""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from typing import Literal

from brskills_server.registry.company import Record
from brskills_server.registry.health.evidence import EVIDENCE_SECONDS
from brskills_server.registry.health.provider_state import ProviderState
from brskills_server.registry.lookup.local_lookup import PendingLookup
from brskills_server.registry.lookup.single_flight import SingleFlight
from brskills_server.registry.providers import SNAPSHOT_ID
from brskills_server.registry.providers.client import ProviderClient
from brskills_server.registry.providers.provider import CONTROL_CNPJ, CONTROLS, Provider
from brskills_server.registry.providers.results import (
    AttemptResult,
    Failed,
    Found,
    Missing,
    ObserveAttempt,
    Outdated,
    Skipped,
)
from brskills_server.registry.snapshot.source import SnapshotSource

_SNAPSHOT_WORKERS = 8  # not the loop's default threads, which resolve host names


class ProviderCaller:
    """Calls the providers and the snapshot. ``observe``: called after attempts. ``clock``: epoch seconds."""

    def __init__(
        self,
        client: ProviderClient,
        state: ProviderState,
        clock: Callable[[], float],
        observe: ObserveAttempt,
        snapshot: SnapshotSource | None = None,
    ) -> None:
        self._client = client
        self._state = state
        self._clock = clock
        self._observe = observe
        self._snapshot = snapshot
        self._workers = ThreadPoolExecutor(_SNAPSHOT_WORKERS, "registry-snapshot")
        self._controls: SingleFlight[None] = SingleFlight()
        self._first_day = asyncio.Lock()  # concurrent look-ups wait for the one that requests an unknown day

    async def call(
        self, provider: Provider, pending: PendingLookup, cut_short: list[Provider]
    ) -> AttemptResult:
        """Return a source's result for a query; ``Outdated`` where its data is not fresh enough.

        ``cut_short`` gets a provider whose call was cancelled at the control, before the number itself.
        """
        query = pending.query
        if provider in cut_short:  # it is called again
            cut_short.remove(provider)
        if self._snapshot and provider.id == SNAPSHOT_ID:
            result = pending.snapshot or await self._read_snapshot(self._snapshot, query.cnpj)
        else:
            result = await self._call_provider(provider, pending, cut_short)
        if provider.paid and isinstance(result, Found | Missing):
            pending.has_paid = True
        if isinstance(result, Found) and not query.freshness.allows_data_of(
            result.record.data_base, self._clock()
        ):
            return Outdated(provider, result.record)
        return result

    async def believe(self, provider: Provider) -> bool:
        """Return whether the provider's "no such company" counts, after a control where that is not known.

        Concurrent look-ups share the control.
        """
        if not self._state.is_believed(provider):
            await self._controls.run(provider.id, lambda: self._ask_control(provider))
        return self._state.is_believed(provider)

    async def _ask_control(self, provider: Provider) -> None:
        if await self._state.claim_control(provider):
            turn = int(self._clock()) // EVIDENCE_SECONDS % len(CONTROLS)
            await self._control(provider, CONTROLS[turn])

    async def probe(self, provider: Provider) -> None:
        """Request the control, if the provider may be called now."""
        if await self._state.acquire(provider):
            await self._control(provider)

    async def _call_provider(
        self, provider: Provider, pending: PendingLookup, cut_short: list[Provider]
    ) -> AttemptResult:
        """Call a provider, if it may be called; one with rejected answers has to pass the control first.

        A call of a paid address without its token would be refused, so it is not even claimed.
        """
        query = pending.query
        if number := self._state.rejection_of(provider, query.cnpj):
            return self._skip(provider, number)
        if await self._lacks_token(provider):
            self._observe(provider.id, "failed", None)
            return Failed(provider)
        if not await self._state.acquire(provider, pending.payer):
            return self._skip(provider)
        if self._state.breakers.needs_control(provider):
            try:
                passed = await self._control(provider)
            except asyncio.CancelledError:
                cut_short.append(provider)
                raise
            if not passed or not await self._state.acquire(provider):
                return self._skip(provider)
        # Another provider's day is asked for meanwhile, and not waited for.
        learning = asyncio.ensure_future(self._learn_dump_date(provider)) if provider.passes_on else None
        try:
            result = await self._fetch(provider, query.cnpj, query.freshness.max_data_age)
        finally:
            if learning:
                learning.cancel()
        if isinstance(result, Skipped):
            self._state.remember("unfit", provider, query.cnpj)
        return await self._with_dump_date(result)

    async def _control(self, provider: Provider, cnpj: str = CONTROL_CNPJ) -> bool:
        breakers = self._state.breakers
        breakers.begin_control(provider)
        try:
            result = await self._fetch(provider, cnpj, None)
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
        return not await self._client.has_token(provider)

    async def _fetch(self, provider: Provider, cnpj: str, max_data_age: int | None) -> AttemptResult:
        began, outcome = time.perf_counter(), "dropped"
        try:
            result = await self._client.fetch_company(provider, cnpj, max_data_age)
            outcome = "rejected" if isinstance(result, Skipped) else type(result).__name__.lower()
        finally:  # the attempt may be cancelled meanwhile
            self._observe(provider.id, outcome, time.perf_counter() - began)
        return result

    async def _with_dump_date(self, result: AttemptResult) -> AttemptResult:
        """Return the result with the day of its dump."""
        provider = result.provider
        if not isinstance(result, Found | Missing) or provider.dump_date is None:
            return result
        if not provider.passes_on:
            await self._learn_dump_date(provider)
        day = self._state.dump_date(provider)
        if isinstance(result, Missing):
            return result._replace(data_base=day)
        return result._replace(record=result.record.model_copy(update={"data_base": day}))

    async def _learn_dump_date(self, provider: Provider) -> None:
        """Request the day of a dump, if it is time to."""
        is_known = self._state.dump_date(provider) is not None
        async with nullcontext() if is_known else self._first_day:
            if await self._state.claim_dump_date(provider):
                day = await self._client.fetch_dump_date(provider)
                if day:
                    self._state.record_dump_date(provider, day)

    async def _read_snapshot(self, snapshot: SnapshotSource, cnpj: str) -> AttemptResult:
        """Return the snapshot's result, read in a worker thread within the provider's time-out."""
        provider = snapshot.provider
        try:
            async with asyncio.timeout(provider.timeout):
                loop = asyncio.get_running_loop()
                result = await loop.run_in_executor(self._workers, snapshot.read, cnpj)
            if not isinstance(result, str):
                return result
            return Found(provider, Record.model_validate_json(result))
        except TimeoutError:
            snapshot.pause()
        except ValueError:  # the rows do not make a record
            pass
        return Failed(provider)
