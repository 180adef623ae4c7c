"""The same parts, with what happens in them told to ``telemetry``: the rules themselves know no figures."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

from brskills_server import telemetry
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.metering.ports import CallRefused, RecordChanged
from brskills_server.registry.store import StoreFault
from brskills_server.telemetry import figures
from brskills_server.telemetry.figures import Figure

if TYPE_CHECKING:
    from brskills_server.telemetry.availability import Calls

__all__ = ["observe_calls", "observed_store"]

T = TypeVar("T")

_WRITES: dict[str, tuple[Figure, str, Callable[[Any], bool]]] = {
    "reserve_calls": (figures.LEDGER, "reserve", lambda _: True),
    "reserve_demo_calls": (figures.LEDGER, "reserve", lambda counted: counted is not None),
    "release": (figures.LEDGER, "", bool),  # named by what it releases
    "open_account": (figures.ACCOUNTS, "open", bool),
    "open_grant": (figures.GRANTS, "open", bool),
    "change_grant": (figures.GRANTS, "renew", bool),
    "end_grant": (figures.GRANTS, "end", bool),
}
"""A port's operation → its figure and name there, and whether a result of it means that it was done."""


def observed_store(store: T, name: str) -> T:
    """A store used as the one it is over: what is written there of calls, accounts and grants is told,
    and every failure.
    """
    return cast("T", _Observed(store, name))


class _Observed:
    def __init__(self, store: object, name: str) -> None:
        self._store = store
        self._name = name

    def __getattr__(self, operation: str) -> Any:
        observed = self._observe(operation, getattr(self._store, operation))
        setattr(self, operation, observed)  # the next use finds it without coming here
        return observed

    def _observe(self, operation: str, run: Callable[..., Any]) -> Callable[..., Any]:
        figure, written, is_done = _WRITES.get(operation, (None, "", bool))

        def observed(*arguments: Any, **named: Any) -> Any:
            def tell(outcome: str) -> None:
                if figure:
                    telemetry.count(figure, written or _name_of_release(arguments), outcome)

            try:
                result = run(*arguments, **named)
            except (StoreUnavailable, StoreFault):
                telemetry.count(figures.STORE_FAILURES, self._name, operation)
                tell("failed")
                raise
            except (CallRefused, RecordChanged):
                tell("refused")
                raise
            tell("done" if is_done(result) else "refused")
            return result

        return observed


def _name_of_release(arguments: tuple[Any, ...]) -> str:
    return "release" if arguments[0].allowance is None else "release_absence"


def observe_calls(calls: Calls) -> None:
    """Tell what became of a request's calls, if it held any that were due an answer."""
    if calls.is_demo:
        return
    for outcome, number in (("answered", calls.answered), ("failed", calls.failed)):
        for _ in range(number):
            telemetry.count(figures.DUE, outcome)
