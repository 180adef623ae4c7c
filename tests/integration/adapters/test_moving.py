"""A store's content moves to any other store and back unchanged."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from brskills_server.accounts.account import Account
from brskills_server.accounts.billing import Billing, Subscription
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.accounts.grant import Client, Grant
from brskills_server.adapters.maintenance import Maintenance, Record, StoredAccount, StoredRow, Sum
from brskills_server.adapters.stores import Stores
from brskills_server.metering.idempotency_record import IdempotencyRecord, IdempotentRequest, Transition
from brskills_server.metering.ports import AccountCalls, AddressCalls
from brskills_server.runtime.transfer import NotEmpty, move
from brskills_server.telemetry.day_counts import DayCounts
from tests.services.releasing import release, release_demo

from .conftest import STORES

NOW, DAY = 1_795_000_000, 86_400
MONTH, BEFORE = "2026-11", "2026-10"
PAYING = Subscription("sub_1", "acc_2", "cus_1", "active", "pro")
DISPUTED = Subscription("sub_2", "acc_2", "cus_1", "past_due", None, paid_back=True)
CLAIM = IdempotentRequest("claim", "asked")
CLIENT = Client("brsk_cl_1", "é", ("https://c.example/cb", "http://127.0.0.1/"), NOW, "https://c.example")
DOCUMENT = Client("https://c.example/#client", "d", ("https://c.example/cb",), NOW)
GRANT = Grant(
    id="grant_2",
    account="acc_2",
    key="k2",
    client=CLIENT.id,
    client_name="é",
    scopes=frozenset({"pix", "cnpj"}),
    resource="https://api.example/mcp",
    redirect_uri="https://c.example/cb",
    challenge="challenge",
    code="code",
    created_at=NOW,
    used_at=NOW,
    expires_at=NOW + 60,
)
REDEEMED = GRANT.renewed("family", "turn", "access", NOW + 1)


def fill(stores: Stores) -> None:
    """Add one of each kind of record through the ports."""
    access, companies = stores.access, stores.companies
    access.open_account(Account("acc_1", "free", 100, {"k1": 0}, created_at=NOW, email="é@exemplo.com.br"))
    before = Account("acc_2", "free", 100, {"k2": 0, "k3": NOW + 5}, created_at=NOW)
    access.open_account(before)
    billing = Billing({"sub_1": PAYING, "sub_2": DISPUTED}, "cus_1", 1)
    access.record_event(
        "evt_1", NOW + 9, before, replace(before, plan="pro", monthly_limit=9, billing=billing)
    )
    access.set_dedicated_gateway_key("acc_2", "pro")
    access.set_skills("acc_2", ["look_up_bank", "check_plate"])
    access.open_account(Account("acc_3", "enterprise", None, {}, created_at=NOW))
    for month in (BEFORE, MONTH, MONTH, MONTH):
        access.reserve_calls(AccountCalls("acc_2", "k2", month, "2025-01", NOW))
        access.reserve_demo_calls(AddressCalls("address", month, 9, NOW + 7))
    release(access, "acc_2", MONTH, allowance=9)
    release(access, "acc_2", BEFORE)
    release_demo(access, "address", MONTH, allowance=9)
    for month in ("2026-09", MONTH):  # the first has no calls
        access.count_uncounted("acc_2", "k2", month, NOW, 20)
        access.count_demo_uncounted("address", month, NOW + 7, 3)
    for day in ("2026-11-18", "2026-11-19"):
        access.count_in_window("pseudonym", day, 9, NOW + 8)
    access.month_salt(MONTH, b"\0\xff salt", NOW + 6)
    access.reserve_calls(
        AccountCalls("acc_2", "k2", MONTH, "2025-01", NOW, 2, Transition(CLAIM, 0, NOW, NOW + 4))
    )
    release(access, "acc_2", MONTH, 1, Transition(CLAIM, 2, NOW))
    access.mark_answered(CLAIM, 1, NOW)
    for client in (CLIENT, DOCUMENT):
        access.keep_client(client, NOW + 3)
    for grant in (GRANT, replace(GRANT, id="grant_1", scopes=frozenset(), expires_at=NOW + 2)):
        assert access.open_grant(grant, 9, NOW)
    assert access.change_grant(REDEEMED)
    access.count_grant("grant_2", MONTH, BEFORE, 3, NOW)
    for day in ("2026-10-31", "2026-11-01", "2026-11-18", "2026-11-18"):
        access.add_to_day(day, DayCounts(5, 2, 4, 3), NOW + 9)
    companies.save("33000167000101", {"form": 1, "record": "\0 é", "at": 5}, NOW + 5)
    companies.save("19131243000197", {"form": 1, "confirmed": 0, "data_base": "", "at": 5}, NOW + 5)
    companies.set_state({"open:cnpja": 7, "base:opencnpj": "2026-09-15", "seen:x": 0})


@pytest.fixture
def there(request: pytest.FixtureRequest) -> Stores:
    opened = STORES[request.param](request)
    opened.open_maintenance().prepare()
    return opened


def everything(maintenance: Maintenance) -> Sum:
    found = Sum()
    for _ in found.of(maintenance.records()):
        pass
    return found


def test_everything_moves_there_and_back(there: Stores, request: pytest.FixtureRequest) -> None:
    here = STORES["memory"](request)
    here.open_maintenance().prepare()
    fill(here)
    moved = move(here.open_maintenance(), there.open_maintenance())
    assert moved == {
        "account": 3,
        "client": 2,
        "demo": 1,
        "signup": 1,
        "salt": 1,
        "event": 1,
        "request": 1,
        "history": 2,
        "company": 2,
        "state": 3,
    }
    assert everything(there.open_maintenance()) == everything(here.open_maintenance())
    back = STORES["memory"](request)
    assert move(there.open_maintenance(), back.open_maintenance()) == moved
    assert everything(back.open_maintenance()) == everything(here.open_maintenance())


def test_a_moved_store_works_as_before(stores: Stores, request: pytest.FixtureRequest) -> None:
    fill(stores)
    there = STORES["memory"](request)
    move(stores.open_maintenance(), there.open_maintenance())
    access = there.access
    assert access.account_of_key("k3") == "acc_2"
    assert access.reserve_calls(AccountCalls("acc_2", "k2", MONTH, "2025-01", NOW)) == ("pro", 9, 4)
    assert access.read_idempotency_record(CLAIM.id, NOW) == IdempotencyRecord("asked", 1, 1, NOW + 4)
    assert not release(access, "acc_2", MONTH, allowance=1)
    assert access.count_uncounted("acc_2", "k2", MONTH, NOW, 1) == ("pro", 21)
    assert access.count_uncounted("acc_2", "k2", "2026-09", NOW, 1) == ("pro", 21)
    assert access.count_demo_uncounted("address", MONTH, NOW, 1) == 4
    assert access.reserve_demo_calls(AddressCalls("address", MONTH, 9, NOW)) == 3
    assert access.read_window("pseudonym") == {"2026-11-18": 1, "2026-11-19": 1}
    assert access.month_salt(MONTH, b"another", NOW) == b"\0\xff salt"
    assert access.has_event("evt_1")
    access.add_to_day("2026-11-18", DayCounts(1, 0), NOW)
    assert access.days("2026-11-01", "2026-11-18") == {
        "2026-11-01": (5, 2, 4, 3),
        "2026-11-18": (11, 4, 8, 6),
    }
    assert [access.read_client(client.id, NOW) for client in (CLIENT, DOCUMENT)] == [CLIENT, DOCUMENT]
    assert access.read_grant("grant_2", NOW) == replace(REDEEMED, used_at=NOW, calls={MONTH: 3})
    assert not access.open_grant(replace(GRANT, id="grant_3"), 2, NOW)
    assert access.end_grant("acc_2", "grant_1")
    assert access.change_grant(REDEEMED.renewed("family", "turn 2", "access 2", NOW))
    assert len(access.grants_of("acc_2", NOW)) == 1
    assert there.companies.load("33000167000101")["record"] == "\0 é"
    assert there.companies.state()["open:cnpja"] == 7


def test_a_store_that_is_not_empty_is_no_target(stores: Stores, request: pytest.FixtureRequest) -> None:
    here = STORES["memory"](request)
    fill(here)
    stores.companies.set_state({"seen:x": 5})
    before = everything(stores.open_maintenance())
    with pytest.raises(NotEmpty):
        move(here.open_maintenance(), stores.open_maintenance())
    assert everything(stores.open_maintenance()) == before


class Breaking:
    """An import that fails after some records."""

    def __init__(self, maintenance: Maintenance) -> None:
        self.records = maintenance.records

    def insert_records(self, records: Iterable[Record]) -> None:
        list(islice(records, 2))
        raise StoreUnavailable("broken off")


def test_a_failed_move_releases_the_source(stores: Stores, request: pytest.FixtureRequest) -> None:
    fill(stores)
    there = STORES["memory"](request)
    with pytest.raises(StoreUnavailable, match="broken off"):
        move(stores.open_maintenance(), Breaking(there.open_maintenance()))
    stores.access.ping()
    assert move(stores.open_maintenance(), there.open_maintenance())["account"] == 3


def test_a_failed_import_keeps_nothing(stores: Stores) -> None:
    maintenance = stores.open_maintenance()
    twice = [StoredRow("event", "evt_1", {"expires_at": NOW})] * 2
    if type(maintenance).__name__ == "DynamoMaintenance":
        return  # which writes as it goes, and says so
    with pytest.raises(StoreUnavailable, match="nothing was inserted"):
        maintenance.insert_records(twice)
    assert everything(maintenance).counts == {}


def test_many_accounts_and_companies(stores: Stores, request: pytest.FixtureRequest) -> None:
    here = STORES["memory"](request)
    total = 60 if type(stores.open_maintenance()).__name__ == "DynamoMaintenance" else 503  # an SQL page: 500
    for n in range(total):
        here.access.open_account(Account(f"acc_{n}", "free", 1, {f"k{n}": 0}, created_at=NOW))
        here.access.reserve_demo_calls(AddressCalls(f"address {n}", MONTH, 9, NOW))
        here.companies.save(f"{n:014}", {"form": 1, "at": n}, NOW)
    moved = move(here.open_maintenance(), stores.open_maintenance())
    assert moved == dict.fromkeys(("account", "demo", "company"), total)
    assert len(list(stores.access.list_accounts())) == total


def test_expired_codes_beyond_the_limit_of_grants_are_moved(
    stores: Stores, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Expired codes that are not deleted yet may exceed an account's limit of grants."""
    monkeypatch.setattr("brskills_server.adapters.dynamodb.table._READ_BATCH", 2)
    here = STORES["memory"](request)
    here.access.open_account(Account("acc_1", "free", 1, {"k1": 0}, created_at=NOW))
    codes = [
        replace(GRANT, id=f"grant_{n}", account="acc_1", key="k1", expires_at=NOW + n) for n in range(1, 6)
    ]
    assert all(here.access.open_grant(code, 1, code.expires_at - 1) for code in codes)
    assert move(here.open_maintenance(), stores.open_maintenance()) == {"account": 1}
    assert everything(stores.open_maintenance()) == everything(here.open_maintenance())
    assert stores.access.grants_of("acc_1", NOW + 4) == codes[-1:]
    assert stores.access.open_grant(replace(codes[0], id="new", expires_at=NOW + 65), 1, NOW + 5)
    assert [grant.id for grant in stores.access.grants_of("acc_1", NOW + 5)] == ["new"]


@pytest.mark.parametrize("is_restored", [False, True])
def test_a_clock_that_is_ahead_by_months_deletes_little(
    stores: Stores, request: pytest.FixtureRequest, is_restored: bool
) -> None:
    here = STORES["memory"](request) if is_restored else stores
    here.open_maintenance().prepare()
    fill(here)
    maintenance = stores.open_maintenance()
    here.access.add_to_day("2026-11-19", DayCounts(1, 0), NOW + 100 * DAY)  # as the calls of a day do
    if is_restored:
        move(here.open_maintenance(), maintenance)
    else:
        maintenance.tidy(NOW - 3 * 3600)
    before = everything(maintenance)
    maintenance.tidy(NOW + 14 * 31 * DAY)
    maintenance.tidy(NOW - 14 * 31 * DAY)
    assert everything(maintenance) == before


def test_after_a_pause_expired_records_are_deleted_gradually(stores: Stores) -> None:
    fill(stores)
    maintenance = stores.open_maintenance()
    maintenance.tidy(NOW - 3 * 3600)
    before = everything(maintenance)
    kept = []
    for _ in range(2):
        maintenance.tidy(NOW + 14 * 31 * DAY)
        kept.append(everything(maintenance) == before)
    assert kept == [True, type(maintenance).__name__ == "DynamoMaintenance"]


def test_a_restored_account_does_not_delay_deletion(stores: Stores) -> None:
    fill(stores)
    maintenance = stores.open_maintenance()
    maintenance.tidy(NOW - 3600)
    maintenance.insert_records([StoredAccount(Account("acc_4", "free", 1, {"k4": 0}, created_at=NOW))])
    maintenance.tidy(NOW + 7)
    if type(maintenance).__name__ != "DynamoMaintenance":  # DynamoDB deletes by itself
        assert everything(maintenance).counts["company"] == 0
    assert stores.access.account_of_key("k4") == "acc_4"


def test_expired_records_are_deleted(stores: Stores) -> None:
    fill(stores)
    maintenance = stores.open_maintenance()
    maintenance.tidy(NOW + 7)
    left: dict[str, Any] = everything(maintenance).counts
    if type(maintenance).__name__ == "DynamoMaintenance":  # DynamoDB deletes by itself, some day
        assert left["company"] == 2
    else:
        assert left == {"account": 3, "signup": 1, "event": 1, "history": 2, "state": 3}
        assert [grant.id for grant in stores.access.grants_of("acc_2", NOW)] == ["grant_2"]
