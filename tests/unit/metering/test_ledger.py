from datetime import datetime

import pytest

from brskills_server.accounts.account import DEMO, Caller
from brskills_server.accounts.api_key import digest
from brskills_server.accounts.calendar import KEPT_MONTHS
from brskills_server.accounts.errors import InvalidKey
from brskills_server.accounts.plans import PLANS
from brskills_server.metering.errors import QuotaExceeded


@pytest.fixture
def caller(accounts) -> Caller:
    return accounts.identify(accounts.open("free").api_key)[0]


@pytest.fixture
def used_up(ledger, caller) -> Caller:
    """Return a caller whose month is used up, which the ledger has seen."""
    ledger.reserve(caller, 100)
    with pytest.raises(QuotaExceeded):
        ledger.reserve(caller)
    return caller


class Noting:
    """A store that records its operations."""

    def __init__(self, store) -> None:
        self._store = store
        self.operations: list[str] = []

    def __getattr__(self, operation: str):
        self.operations.append(operation)
        return getattr(self._store, operation)


@pytest.fixture
def noting(ledger, store, monkeypatch) -> Noting:
    noting = Noting(store)
    monkeypatch.setattr(ledger, "store", noting)
    return noting


def test_a_call_is_counted_by_one_operation(ledger, caller, noting) -> None:
    assert ledger.reserve(caller).quota.calls == 1
    assert noting.operations == ["reserve_calls"]


def test_the_hundred_and_first_call_is_refused_and_not_counted(ledger, caller) -> None:
    remaining = [ledger.reserve(caller).quota.remaining for _ in range(100)]
    assert remaining == list(range(99, -1, -1))
    for _ in range(3):
        with pytest.raises(QuotaExceeded) as refusal:
            ledger.reserve(caller)
        assert (refusal.value.quota.calls, refusal.value.quota.remaining) == (100, 0)
    assert ledger.usage(caller)[0].calls == 100


def test_a_used_up_account_costs_a_read_and_no_write(ledger, used_up, noting) -> None:
    with pytest.raises(QuotaExceeded):
        ledger.reserve(used_up)
    assert noting.operations == ["read_account"]


def test_a_change_of_plan_keeps_the_count_and_applies_to_the_next_call(
    ledger, accounts, store, used_up
) -> None:
    accounts.set_plan(used_up.account, "pro")
    quota = ledger.reserve(used_up).quota
    assert (quota.plan, quota.calls, quota.limit) == ("pro", 101, 10_000)
    for limit in (100, 0):
        accounts.set_plan(used_up.account, "free")
        store.set_limit(used_up.account, limit)
        with pytest.raises(QuotaExceeded):
            ledger.reserve(used_up)


def test_the_new_month_starts_at_nothing_and_the_old_stays_as_history(ledger, caller, clock) -> None:
    clock.now = datetime.fromisoformat("2026-11-30T23:59:59-03:00").timestamp()
    ledger.reserve(caller, 100)
    with pytest.raises(QuotaExceeded):
        ledger.reserve(caller)
    clock.now += 1
    assert ledger.reserve(caller).quota.calls == 1
    assert ledger.usage(caller)[1] == {"2026-11": 100}


def test_history_goes_back_thirteen_months_and_a_few_more(ledger, caller, clock) -> None:
    for year, number in [*((2026, n) for n in range(1, 13)), *((2027, n) for n in range(1, 9))]:
        clock.now = datetime.fromisoformat(f"{year}-{number:02}-15T12:00:00-03:00").timestamp()
        ledger.reserve(caller)
    history = ledger.usage(caller)[1]
    assert len(history) == KEPT_MONTHS - 1  # and the current month
    assert next(iter(history)) == "2026-05"


def test_releasing_names_the_month_that_was_reserved(ledger, caller, clock) -> None:
    clock.now = datetime.fromisoformat("2026-11-30T23:59:59-03:00").timestamp()
    ledger.reserve(caller)
    reservation = ledger.reserve(caller)
    clock.now += 1
    ledger.releases.apply(reservation)
    quota, history = ledger.usage(caller)
    assert (quota.calls, history) == (0, {"2026-11": 1})


def test_a_months_free_absences_are_limited_and_the_next_are_counted(ledger, caller, clock) -> None:
    for _ in range(50):
        assert ledger.releases.apply_absence(ledger.reserve(caller))
    for counted in (1, 2):
        assert not ledger.releases.apply_absence(ledger.reserve(caller))
        assert ledger.usage(caller)[0].calls == counted
    clock.now += 31 * 86_400
    assert ledger.releases.apply_absence(ledger.reserve(caller))


@pytest.mark.parametrize(("plan", "free"), [("free", 50), ("demo", 50), ("pro", 5_000), ("enterprise", None)])
def test_each_plan_has_its_number_of_free_absences(ledger, accounts, store, monkeypatch, plan, free) -> None:
    assert PLANS[plan].free_absences == free
    caller = Caller(DEMO, "x", "hash-a")
    if plan != DEMO:
        caller, _ = accounts.identify(accounts.open(plan).api_key)
    reservation = ledger.reserve(caller)
    asked = []
    monkeypatch.setattr(store, "release", lambda release: asked.append(release.allowance) or False)
    assert ledger.releases.apply_absence(reservation) is (free is None)
    assert asked == [free]


def test_the_demo_keys_absences_are_free_for_each_address(ledger) -> None:
    here, there = Caller(DEMO, "x", "hash-a"), Caller(DEMO, "x", "hash-b")
    for _ in range(50):
        assert ledger.releases.apply_absence(ledger.reserve(here))
    assert not ledger.releases.apply_absence(ledger.reserve(here))
    assert ledger.releases.apply_absence(ledger.reserve(there))
    assert [ledger.usage(caller)[0].calls for caller in (here, there)] == [1, 0]


def test_enterprise_has_no_limit(ledger, accounts) -> None:
    caller, _ = accounts.identify(accounts.open("enterprise").api_key)
    quota = ledger.reserve(caller, 150).quota
    assert (quota.limit, quota.remaining, quota.used_up, quota.calls) == (None, None, False, 150)


def test_unknown_accounts_and_revoked_keys_are_refused(ledger, accounts, caller) -> None:
    accounts.revoke(caller)
    for unknown in (Caller("acc_unknown", "0" * 64), caller):
        for refused in (ledger.reserve, ledger.verify, ledger.usage):
            with pytest.raises(InvalidKey):
                refused(unknown)


def test_a_revoked_key_of_a_used_up_account_is_invalid(ledger, accounts, used_up) -> None:
    accounts.revoke(used_up)
    with pytest.raises(InvalidKey):
        ledger.reserve(used_up)


def test_the_demo_key_counts_each_address_by_itself(ledger) -> None:
    here, there = Caller(DEMO, "x", "hash-a"), Caller(DEMO, "x", "hash-b")
    for _ in range(2):
        ledger.reserve(here)
    with pytest.raises(QuotaExceeded) as refusal:
        ledger.reserve(here, 2)
    assert refusal.value.quota.remaining == 1
    ledger.reserve(here)
    with pytest.raises(QuotaExceeded):
        ledger.reserve(here)
    taken = ledger.reserve(there)
    assert taken.quota.remaining == 2
    ledger.releases.apply(taken)
    assert [ledger.usage(caller)[0].calls for caller in (here, there)] == [3, 0]


def test_a_demo_counter_expires(ledger, store, monkeypatch) -> None:
    asked = []
    monkeypatch.setattr(store, "reserve_demo_calls", lambda wanted: asked.append(wanted) or 1)
    ledger.reserve(Caller(DEMO, "x", "hash"))
    ends = int(datetime.fromisoformat("2026-12-01T00:00:00-03:00").timestamp())
    assert asked == [("hash", "2026-11", 3, ends, 1, None)]


def test_every_plan_has_its_limit_in_the_account(accounts) -> None:
    for plan in PLANS.values():
        account = accounts.get(accounts.open(plan.id).account)
        assert (account.plan, account.monthly_limit) == (plan.id, plan.monthly_limit)


def test_no_key_is_stored(accounts, store) -> None:
    issued = accounts.open("free", "dev@exemplo.com.br")
    with store._database._opened() as (connection, _):
        dump = "".join(connection.iterdump())
    assert issued.api_key not in dump
    assert issued.api_key[5:37] not in dump
    assert digest(issued.api_key) in dump


def test_used_up_accounts_beyond_the_remembered_ones_are_forgotten(
    ledger, accounts, noting, monkeypatch
) -> None:
    monkeypatch.setattr("brskills_server.metering.ledger._REMEMBERED", 1)
    callers = [accounts.identify(accounts.open("free").api_key)[0] for _ in range(2)]
    for caller in callers:
        ledger.reserve(caller, 100)
        with pytest.raises(QuotaExceeded):
            ledger.reserve(caller)
    operations = []
    for caller in reversed(callers):
        noting.operations.clear()
        with pytest.raises(QuotaExceeded):
            ledger.reserve(caller)
        operations.append(noting.operations[0])
    assert operations == ["read_account", "reserve_calls"]


def test_a_release_is_remembered_for_a_day_and_a_quota_until_the_month_ends(
    ledger, caller, store, clock, monkeypatch
):
    reservation, sent = ledger.reserve(caller), []
    monkeypatch.setattr(store, "release", lambda release: sent.append(release.expires_at) or True)
    ledger.releases.apply(reservation)
    assert sent == [clock() + 86_400]
    assert reservation.quota.resets_at.isoformat() == "2026-12-01T00:00:00-03:00"
