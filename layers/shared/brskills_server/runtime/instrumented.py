"""Stores whose writes and failures are recorded as metrics, so that the rules themselves need none."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from brskills_server import telemetry
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.metering.ports import CallRefused, RecordChanged
from brskills_server.registry.store import StoreFault
from brskills_server.telemetry import figures
from brskills_server.telemetry.figures import Figure

T = TypeVar("T")

_WRITES: dict[str, tuple[Figure, str]] = {
    "reserve_calls": (figures.LEDGER, "reserve"),
    "reserve_demo_calls": (figures.LEDGER, "reserve"),
    "release": (figures.LEDGER, "release"),
    "open_account": (figures.ACCOUNTS, "open"),
    "open_grant": (figures.GRANTS, "open"),
    "change_grant": (figures.GRANTS, "renew"),
    "end_grant": (figures.GRANTS, "end"),
}
"""A port's operation → its metric and its label there; ``False`` or ``None`` from it means a refusal."""


def instrumented(store: T, name: str) -> T:
    """Return the store with its writes of calls, accounts and grants and every failure recorded."""
    return cast("T", _Instrumented(store, name))


class _Instrumented:
    def __init__(self, store: object, name: str) -> None:
        self._store = store
        self._name = name

    def __getattr__(self, operation: str) -> Any:
        run = self._record(operation, getattr(self._store, operation))
        setattr(self, operation, run)  # so that the next use does not come here
        return run

    def _record(self, operation: str, run: Callable[..., Any]) -> Callable[..., Any]:
        figure, label = _WRITES.get(operation, (None, ""))

        def recorded(*arguments: Any, **named: Any) -> Any:
            outcome = ""  # of an error that was not foreseen nothing is recorded
            try:
                result = run(*arguments, **named)
                outcome = "refused" if result is None or result is False else "done"
            except (StoreUnavailable, StoreFault):
                telemetry.count(figures.STORE_FAILURES, self._name, operation)
                outcome = "failed"
                raise
            except (CallRefused, RecordChanged):
                outcome = "refused"
                raise
            finally:
                if figure and outcome:
                    is_absence = operation == "release" and arguments[0].allowance is not None
                    telemetry.count(figure, "release_absence" if is_absence else label, outcome)
            return result

        return recorded
