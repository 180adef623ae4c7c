"""The race: the first choice at once, the next independent group when it is slow, at once when it fails.

Providers of one group fail together, so a group's second provider waits until every other group has
been asked. A company found ends the race. "No such company" starts a confirmation: the next to be
asked is one whose data is fresher than a monthly dump, for it may know the company after all. When the
race ends, every call still under way is cancelled and awaited: nothing runs on in the background.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from registry.outcome import Failed, Found, Missing, Outcome
from registry.providers import Provider

__all__ = ["CONFIRM_SECONDS", "HEDGE_SECONDS", "TOTAL_SECONDS", "is_confirmed", "race"]

TOTAL_SECONDS = 8.0
HEDGE_SECONDS = (0.6, 0.9, 1.0)  # after the first, the second, each later start
CONFIRM_SECONDS = 3.0  # how long a 404 waits to be confirmed or contradicted

Attempt = Callable[[Provider], Awaitable[Outcome]]


async def race(providers: Sequence[Provider], attempt: Attempt) -> list[Outcome]:
    """Ask until somebody knows; outcomes in the order in which they came.

    A provider that lost to one started after it counts as failed: it was too slow.
    """
    return await _Race(providers, attempt).run()


def is_confirmed(outcomes: Sequence[Outcome]) -> bool:
    """Whether two independent groups say "no such company", one of them no monthly dump."""
    deniers = [outcome.provider for outcome in outcomes if isinstance(outcome, Missing)]
    return len({d.group for d in deniers}) > 1 and not all(d.monthly_dump for d in deniers)


class _Race:
    def __init__(self, providers: Sequence[Provider], attempt: Attempt) -> None:
        self._waiting = _by_group(providers)
        self._attempt = attempt
        self._running: dict[asyncio.Task[Outcome], Provider] = {}  # in the order of their start
        self._started: list[Provider] = []
        self._outcomes: list[Outcome] = []
        self._limit = asyncio.timeout(TOTAL_SECONDS)

    async def run(self) -> list[Outcome]:
        try:
            async with self._limit:
                await self._run()
        except TimeoutError:
            pass
        finally:
            await self._stop()
        return self._outcomes

    async def _run(self) -> None:
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
                self._note(task.result())
            if not self._is_settled():
                self._start_next()

    def _is_settled(self) -> bool:
        return any(isinstance(o, Found) for o in self._outcomes) or is_confirmed(self._outcomes)

    def _note(self, outcome: Outcome) -> None:
        if isinstance(outcome, Missing) and not self._deniers():
            end = asyncio.get_running_loop().time() + CONFIRM_SECONDS
            self._limit.reschedule(min(end, self._limit.when() or end))
        self._outcomes.append(outcome)

    def _deniers(self) -> list[Provider]:
        return [outcome.provider for outcome in self._outcomes if isinstance(outcome, Missing)]

    def _start_next(self) -> None:
        provider = self._pick()
        if provider is not None:
            self._waiting.remove(provider)
            self._started.append(provider)
            self._running[asyncio.ensure_future(self._attempt(provider))] = provider

    def _pick(self) -> Provider | None:
        deniers = self._deniers()
        heard = {provider.group for provider in (*deniers, *self._running.values())}
        useful = [provider for provider in self._waiting if provider.group not in heard]
        if len({provider.group for provider in deniers if provider.monthly_dump}) > 1:
            useful = [provider for provider in useful if not provider.monthly_dump]
        if deniers:
            useful.sort(key=lambda provider: provider.monthly_dump)
        return next(iter(useful), None)

    async def _stop(self) -> None:
        for task in self._running:
            task.cancel()
        for provider, end in zip(
            self._running.values(), await asyncio.gather(*self._running, return_exceptions=True), strict=True
        ):
            if not isinstance(end, BaseException):  # it came back in the very moment
                self._outcomes.append(end)
            elif self._is_slow(provider):
                self._outcomes.append(Failed(provider))

    def _is_slow(self, provider: Provider) -> bool:
        """Whether one started later has answered before it."""
        later = self._started[self._started.index(provider) + 1 :]
        return any(o.provider in later for o in self._outcomes if isinstance(o, Found | Missing))


def _by_group(providers: Sequence[Provider]) -> list[Provider]:
    """The same providers, each group's first before any group's second."""
    firsts = {provider.group: provider for provider in reversed(providers)}.values()
    return sorted(providers, key=lambda provider: provider not in firsts)
