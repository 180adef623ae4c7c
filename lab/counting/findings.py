"""The check of a schedule's counts after the store has recovered."""

from __future__ import annotations

from collections.abc import Mapping

from brskills_server.accounts.account import DEMO, Caller
from brskills_server.accounts.plans import PLANS
from brskills_server.adapters.stores import AccessStore
from lab.counting.recount import Recount
from lab.counting.schedule import Schedule


def find_errors(store: AccessStore, recount: Recount, schedule: Schedule, callers: list[Caller]) -> list[str]:
    """Return a line for each fault in what was counted of an account and of an address."""
    found = [fault for entry in recount.requests for fault in entry.faults()]
    for caller in callers:
        found += _differences(store, recount, caller)
        found += _free_absences(recount, schedule, caller)
        if caller.site:
            site = caller._replace(address=caller.site, site="")
            found += _differences(store, recount, site)
            if not schedule.faults + schedule.deaths and _months(recount, site) != _months(recount, caller):
                found.append(f"the /48 has other calls than its address: {recount.months}")
    return found


def _differences(store: AccessStore, recount: Recount, caller: Caller) -> list[str]:
    """Return a line if the store has other calls than the second count."""
    ours, theirs = _months(recount, caller), {name: n for name, n in _kept(store, caller).items() if n}
    return [] if ours == theirs else [f"{_holder(caller)}: the store has {theirs}, recounted {ours}"]


def _free_absences(recount: Recount, schedule: Schedule, caller: Caller) -> list[str]:
    allowed = PLANS[DEMO if caller.is_demo else schedule.plan].free_absences
    free = max((n for (holder, _), n in recount.free.items() if holder == _holder(caller)), default=0)
    return [f"{free} of {allowed} free absences"] if allowed is not None and free > allowed else []


def _months(recount: Recount, caller: Caller) -> dict[str, int]:
    return {name: n for (holder, name), n in recount.months.items() if holder == _holder(caller) and n}


def _kept(store: AccessStore, caller: Caller) -> Mapping[str, int]:
    if caller.is_demo:
        return store.demo_calls(caller.address)
    account = store.read_account(caller.account)
    return account.calls


def _holder(caller: Caller) -> str:
    return caller.address if caller.is_demo else caller.account
