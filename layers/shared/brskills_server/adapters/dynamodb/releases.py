"""Releases of counted calls: transactions that also store the release's id."""

from collections.abc import Mapping
from typing import Any

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.dynamodb import items
from brskills_server.adapters.dynamodb.accounts import DynamoAccounts
from brskills_server.adapters.dynamodb.client import ConditionFailed
from brskills_server.adapters.dynamodb.idempotency_records import release_from_record
from brskills_server.adapters.dynamodb.shards import item_count, read_items
from brskills_server.adapters.dynamodb.values import change
from brskills_server.metering.idempotency_record import Transition
from brskills_server.metering.ports import RecordChanged, Release

_TRIES = 10
_BELOW_LIMIT = "#count < :limit OR (attribute_not_exists(#count) AND :limit > :zero)"


class DynamoReleases(DynamoAccounts):
    """The part of ``CallStore`` for releases."""

    def release(self, release: Release, transition: Transition | None = None) -> bool:
        """Transaction: the month's calls, the release's id, and the record's calls with a transition.

        An account with shards: in the item that counted last here; if that has too few calls, GetItem of each
        item, and a transaction over some of them. Absences are counted in the account's own item.
        """
        caller = release.caller
        own = items.DEMO + caller.address if caller.is_demo else items.ACCOUNT + caller.account
        last = own if caller.is_demo else self._known.last(caller.account)
        shares = ({} if release.allowance is None else {own: 0}) | {last: release.calls}
        for _ in range(_TRIES):
            try:
                return self._release(shares, release, transition)
            except ConditionFailed as failed:
                if last == own and item_count(failed.item or {}) == 1:
                    return False
            last, shares = "", self._find_shares(release)
            if not shares:
                return False
        raise StoreUnavailable("the account changes too quickly")

    def has_release(self, release: str) -> bool:
        return self._table.get(items.RELEASE + release) is not None

    def _release(self, shares: Mapping[str, int], release: Release, transition: Transition | None) -> bool:
        """Release calls by item. Raise ``ConditionFailed`` if there are fewer, or no free absence."""
        first, *_ = shares
        once = change("SET expires_at = :ends", {}, {"ends": release.expires_at}, "attribute_not_exists(pk)")
        writes = [
            self._table.updating(pk, _releasing(release, calls, is_own=pk == first), returned=pk == first)
            for pk, calls in shares.items()
        ]
        writes.append(self._table.updating(items.RELEASE + release.id, once))
        if transition:
            writes.append(release_from_record(self._table, transition, release.calls))
        try:
            self._table.together(*writes)
        except ConditionFailed as failed:
            if len(shares) in failed.writes:  # it was applied before
                return True
            if len(shares) + 1 in failed.writes:
                raise RecordChanged from None
            raise
        return True

    def _find_shares(self, release: Release) -> dict[str, int]:
        """Return how many calls to release in which items, the fullest first; none if there are too few."""
        found = read_items(self._table, release.caller.account)
        if not found:
            return {}
        own, calls, left = found[0], items.CALLS + release.month, release.calls
        shares = {}
        if release.allowance is not None:
            shares[own["pk"]] = 0
            if own.get(items.ABSENCES + release.month, 0) >= release.allowance:
                return {}
        for item in sorted(found, key=lambda item: int(-item.get(calls, 0))):
            share = min(left, item.get(calls, 0))
            if share > 0:
                shares[item["pk"]], left = share, left - share
        return {} if left else shares


def _releasing(release: Release, calls: int, *, is_own: bool) -> dict[str, Any]:
    """Return an update that releases calls of an item.

    The account's own item counts a free absence if the release has an allowance.
    """
    names, values, added, conditions = {}, {}, [], []
    if calls:
        names["calls"], values = items.CALLS + release.month, {"less": -calls, "calls": calls}
        added.append("#calls :less")
        conditions.append("#calls >= :calls")
    if is_own and release.allowance is not None:
        names["count"] = items.ABSENCES + release.month
        values |= {"one": 1, "zero": 0, "limit": release.allowance}
        added.append("#count :one")
        conditions.append(f"({_BELOW_LIMIT})")
    return change("ADD " + ", ".join(added), names, values, " AND ".join(conditions))
