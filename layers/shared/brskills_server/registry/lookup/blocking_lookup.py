"""Providers asked for callers in many threads, each of which waits while the process's one loop asks them."""

from collections.abc import Callable, Sequence
from contextlib import suppress

from brskills_server.registry.answer import Answer
from brskills_server.registry.fail_safe_store import STORE_SECONDS
from brskills_server.registry.freshness import Freshness
from brskills_server.registry.health.provider_health import ProviderHealth
from brskills_server.registry.lookup.hedging import TOTAL_SECONDS
from brskills_server.registry.lookup.local_lookup import Query
from brskills_server.registry.lookup.loop_thread import LoopThread
from brskills_server.registry.lookup.provider_lookup import ProviderLookup
from brskills_server.registry.lookup.repetition import Repetition
from brskills_server.registry.lookup.side_by_side import Outcome, look_up_many
from brskills_server.registry.payer import Payer

__all__ = ["BlockingLookup"]

_WAIT_SECONDS = TOTAL_SECONDS + 4 * STORE_SECONDS
"""More than the parts of a look-up take together: only a loop that is held up is slower."""


class BlockingLookup:
    """The methods of ``brskills_server.registry.registry.Registry`` that need the loop."""

    def __init__(self, steps: ProviderLookup) -> None:
        self._steps = steps
        self._loop = LoopThread(steps.close)

    def look_up(self, query: Query) -> Answer:
        """What the providers answer; raises as ``Registry.look_up`` does."""
        try:
            return self._loop.run(self._steps.ask(query), _WAIT_SECONDS)
        except TimeoutError:
            return self._steps.fall_back(query)

    def look_up_many(
        self,
        cnpjs: Sequence[str],
        demand: Freshness,
        payer: Payer | None,
        repetition: Repetition | None,
        before_asking: Callable[[], None],
    ) -> list[Outcome]:
        """See ``Registry.look_up_many``."""
        return look_up_many(
            self._steps,
            self._loop,
            cnpjs,
            demand,
            payer=payer,
            repetition=repetition,
            before_asking=before_asking,
        )

    def health(self) -> list[ProviderHealth]:
        """Each provider's state, as all know it at this moment."""
        with suppress(TimeoutError):
            self._loop.run(self._steps.refresh(), _WAIT_SECONDS)
        return self._steps.health()

    def probe(self) -> None:
        """See ``ProviderLookup.probe``."""
        self._loop.run(self._steps.probe(), _WAIT_SECONDS)

    def close(self) -> None:
        """End the loop, and with it the connections."""
        self._loop.close()
