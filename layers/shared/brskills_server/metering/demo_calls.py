"""Counting calls of the demo key by address, and of IPv6 addresses also by their /48.

The /48 is counted first and released last, so it never has fewer calls than its addresses together: no
failure in between leaves an answered call uncounted by either.
"""

from collections.abc import Mapping

from brskills_server.accounts.account import DEMO, Account, Caller
from brskills_server.accounts.network_hash import SITE_ALLOWANCE
from brskills_server.metering.idempotency_record import Transition
from brskills_server.metering.ports import AddressCalls, CallRefused, CallStore, Counted, RecordChanged
from brskills_server.metering.releases import Releases


class DemoCalls:
    """Demo calls in a store; ``limit``: calls of an address in a month."""

    def __init__(self, store: CallStore, limit: int, releases: Releases) -> None:
        self._store = store
        self._limit = limit
        self._releases = releases

    def read_account(self, caller: Caller) -> Account:
        """Return the calls of an address in the form of an account."""
        return _account(caller, self._limit, self._store.demo_calls(caller.address))

    def reserve(
        self, caller: Caller, month: str, ends: int, calls: int, transition: Transition | None
    ) -> Counted:
        """Count calls. Raise ``CallRefused`` or ``RecordChanged`` with nothing counted."""
        wanted = AddressCalls(caller.address, month, self._limit, ends, calls, transition)
        if not caller.site:
            return self._count(caller, wanted)
        of_site = wanted._replace(address=caller.site, limit=SITE_ALLOWANCE * self._limit, transition=None)
        self._count(caller, of_site)
        try:
            return self._count(caller, wanted)
        except (CallRefused, RecordChanged):
            self._releases.apply_site(caller, month, calls)
            raise

    def _count(self, caller: Caller, wanted: AddressCalls) -> Counted:
        counted = self._store.reserve_demo_calls(wanted)
        if counted is None:
            is_full = {wanted.month: wanted.limit}
            known = is_full if wanted.calls == 1 else self._store.demo_calls(wanted.address)
            raise CallRefused(_account(caller, wanted.limit, known))
        return Counted(DEMO, wanted.limit, counted)


def _account(caller: Caller, limit: int, calls: Mapping[str, int]) -> Account:
    return Account(DEMO, DEMO, limit, {caller.key: 0}, calls)
