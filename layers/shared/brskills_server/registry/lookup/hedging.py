"""Hedged requests: the first choice at once, the next group of providers when it is slow or fails."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from brskills_server.registry.providers.provider import Provider
from brskills_server.registry.providers.results import (
    AttemptResult,
    Dropped,
    Found,
    Missing,
    Outdated,
    Rejected,
    Skipped,
)

TOTAL_SECONDS = 8.0
HEDGE_SECONDS = (0.6, 0.9, 1.0)  # how long the first, the second and each later call may take alone
CONFIRM_SECONDS = 3.0  # how long a "no such company" waits to be confirmed or contradicted

Attempt = Callable[[Provider], Awaitable[AttemptResult]]
Believe = Callable[[Provider], Awaitable[bool]]


async def _believe_all(_: Provider) -> bool:
    return True


async def ask_hedged(
    providers: Sequence[Provider],
    attempt: Attempt,
    believe: Believe = _believe_all,
    *,
    may_be_new: bool = False,
) -> list[AttemptResult]:
    """Call providers, in their order of preference, until one has the company or its absence is confirmed.

    A group's second provider waits until every other group was called. "No such company" has to be confirmed,
    first by a provider with fresher data than a monthly dump. A record that is too old shows that the company
    exists, and that its group has nothing newer. Before an absence is concluded, ``believe`` returns for each
    provider that denies the company whether that counts. A denial that does not becomes ``Skipped``, and the
    providers that were not called, or whose calls were stopped, are called then. If the number
    ``may_be_new``, running calls of providers with fresher data may end: no absence of it can be confirmed.

    Return the results in the order of their arrival. A provider that was overtaken by one started after it
    counts as rejected: it was too slow for this number. Other unfinished calls count as dropped.
    """
    return await _HedgedRequest(providers, attempt, believe, may_be_new=may_be_new).run()


def is_absence_confirmed(results: Sequence[AttemptResult]) -> bool:
    """Return whether two independent groups lack the company, at least one of them not a monthly dump."""
    if any(isinstance(result, Outdated) for result in results):
        return False
    deniers = _deniers(results)
    return len({provider.group for provider in deniers}) > 1 and not all(p.monthly_dump for p in deniers)


class _HedgedRequest:
    def __init__(
        self, providers: Sequence[Provider], attempt: Attempt, believe: Believe, *, may_be_new: bool
    ) -> None:
        self._waiting = _groups_first(providers)
        self._attempt = attempt
        self._believe = believe
        self._may_be_new = may_be_new
        self._running: dict[asyncio.Task[AttemptResult], Provider] = {}  # in the order of their start
        self._started: list[Provider] = []
        self._results: list[AttemptResult] = []
        self._stopped: list[Provider] = []
        self._ends = asyncio.get_running_loop().time() + TOTAL_SECONDS

    async def run(self) -> list[AttemptResult]:
        is_done = False
        while not is_done:
            self._deadline = asyncio.timeout_at(self._ends)
            try:
                async with self._deadline:
                    await self._ask_until_settled()
            except TimeoutError:
                pass
            finally:
                await self._stop()
            is_done = await self._are_deniers_believed()
        return self._results

    async def _are_deniers_believed(self) -> bool:
        """Return whether an absence may be concluded; else deniers that are not believed are skipped now."""
        deniers = _deniers(self._results)
        if not deniers or any(isinstance(result, Found | Outdated) for result in self._results):
            return True
        asking = [asyncio.ensure_future(self._believe(provider)) for provider in deniers]
        try:
            await asyncio.wait(asking, timeout=self._ends - asyncio.get_running_loop().time())
        finally:
            for task in asking:
                task.cancel()  # without effect on one that is done
            beliefs = await asyncio.gather(*asking, return_exceptions=True)
        doubted = [provider for provider, belief in zip(deniers, beliefs, strict=True) if belief is not True]
        if doubted:
            self._waiting = [*self._stopped, *self._waiting]
            self._started = [provider for provider in self._started if provider not in self._stopped]
            results = [result for result in self._results if result.provider not in self._stopped]
            self._results = [Skipped(r.provider) if r.provider in doubted else r for r in results]
        return not doubted or asyncio.get_running_loop().time() >= self._ends

    async def _ask_until_settled(self) -> None:
        self._start_next()
        while self._running and not self._is_settled():
            hedge = HEDGE_SECONDS[min(len(self._started), len(HEDGE_SECONDS)) - 1]
            done, _ = await asyncio.wait(
                self._running,
                timeout=hedge if self._waiting else None,
                return_when=asyncio.FIRST_COMPLETED,
            )
            for task in [task for task in self._running if task in done]:  # the better choice first
                del self._running[task]
                self._add(task.result())
            if not self._is_settled() and not is_absence_confirmed(self._results):
                self._start_next()

    def _is_settled(self) -> bool:
        if any(isinstance(result, Found) for result in self._results):
            return True
        is_fresher_asked = any(not provider.monthly_dump for provider in self._running.values())
        return is_absence_confirmed(self._results) and not (self._may_be_new and is_fresher_asked)

    def _add(self, result: AttemptResult) -> None:
        if isinstance(result, Missing) and not _deniers(self._results):
            end = asyncio.get_running_loop().time() + CONFIRM_SECONDS
            self._deadline.reschedule(min(end, self._deadline.when() or end))
        self._results.append(result)

    def _start_next(self) -> None:
        provider = self._choose()
        if provider is not None:
            self._waiting.remove(provider)
            self._started.append(provider)
            self._running[asyncio.ensure_future(self._attempt(provider))] = provider

    def _choose(self) -> Provider | None:
        deniers = _deniers(self._results)
        outdated = [result.provider for result in self._results if isinstance(result, Outdated)]
        occupied = {provider.group for provider in (*deniers, *outdated, *self._running.values())}
        useful = [provider for provider in self._waiting if provider.group not in occupied]
        if len({provider.group for provider in deniers if provider.monthly_dump}) > 1:
            useful = [provider for provider in useful if not provider.monthly_dump]
        if deniers:
            useful.sort(key=lambda provider: provider.monthly_dump)
        return next(iter(useful), None)

    async def _stop(self) -> None:
        for task in self._running:
            task.cancel()
        ends = await asyncio.gather(*self._running, return_exceptions=True)
        self._stopped = []
        for provider, end in zip(self._running.values(), ends, strict=True):
            if not isinstance(end, BaseException):  # it returned during the cancellation
                self._results.append(end)
                continue
            self._stopped.append(provider)
            if self._was_overtaken(provider):
                self._results.append(Rejected(provider))
            else:
                self._results.append(Dropped(provider))
        self._running.clear()

    def _was_overtaken(self, provider: Provider) -> bool:
        later = self._started[self._started.index(provider) + 1 :]
        return any(r.provider in later for r in self._results if isinstance(r, Found | Missing | Outdated))


def _deniers(results: Sequence[AttemptResult]) -> list[Provider]:
    return [result.provider for result in results if isinstance(result, Missing)]


def _groups_first(providers: Sequence[Provider]) -> list[Provider]:
    """Return the same providers, each group's first before any group's second."""
    firsts = {provider.group: provider for provider in reversed(providers)}.values()
    return sorted(providers, key=lambda provider: provider not in firsts)
