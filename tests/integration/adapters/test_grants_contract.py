"""The contract of ``GrantStore``, for every adapter."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from brskills_server.accounts.account import Account
from brskills_server.accounts.calendar import KEPT_MONTHS, shift_month
from brskills_server.accounts.grant import Client, Grant
from brskills_server.adapters.maintenance import StoredAccount
from brskills_server.metering.ports import AccountCalls
from tests.services.tables import THREADS

NOW = 1_795_000_000
ENDS = NOW + 60
MONTH, OLDEST = "2026-11", "2025-10"
CLIENT = Client(
    "brsk_cl_1", "Assistente é\n", ("https://b.example/cb", "http://127.0.0.1/a"), NOW, "https://b.example/"
)
GRANT = Grant(
    id="grant_1",
    account="acc_1",
    key="k1",
    client=CLIENT.id,
    client_name=CLIENT.name,
    scopes=frozenset({"pix", "cnpj"}),
    resource="https://api.example/mcp",
    redirect_uri="https://b.example/cb",
    challenge="challenge",
    code="code",
    created_at=NOW,
    used_at=NOW,
    expires_at=ENDS,
)
REDEEMED = GRANT.renewed("family", "turn 1", "access 1", NOW + 1)
REFRESHED = REDEEMED.renewed("family", "turn 2", "access 2", NOW + 2)


@pytest.fixture(autouse=True)
def account(store) -> Account:
    found = Account("acc_1", "free", 3, {"k1": 0, "k2": NOW + 5}, created_at=NOW)
    assert store.open_account(found)
    assert store.open_account(Account("acc_2", "free", 3, {"k9": 0}, created_at=NOW))
    return found


def open_grant(store, grant: Grant = GRANT, most: int = 9, now: int = NOW) -> bool:
    return store.open_grant(grant, most, now)


def ids(store, now: int = NOW) -> list[str]:
    return sorted(grant.id for grant in store.grants_of("acc_1", now))


@pytest.mark.parametrize("grant", [GRANT, replace(GRANT, scopes=frozenset(), client_name="", challenge="")])
def test_a_grant_is_read_as_it_was_opened(store, account, grant) -> None:
    assert open_grant(store, grant)
    assert store.read_grant("grant_1", NOW) == grant
    assert store.grants_of("acc_1", NOW) == [grant]
    assert store.grants_of("acc_2", NOW) == []
    assert store.read_account("acc_1") == account


def test_unknown_ids_are_absent(store) -> None:
    assert store.read_grant("grant_1", NOW) is None
    assert store.grants_of("acc_1", NOW) == []
    assert store.grants_of("acc_3", NOW) == []
    assert not store.change_grant(REDEEMED)
    assert not store.end_grant("acc_1", "grant_1")
    store.count_grant("grant_1", MONTH, OLDEST, 1, NOW)
    assert store.read_grant("grant_1", NOW) is None


def test_a_grant_needs_an_active_key_of_the_account(store) -> None:
    for changed, now in (
        ({"key": "k3"}, NOW),
        ({"key": "k2"}, NOW + 5),
        ({"key": "k9"}, NOW),
        ({"account": "acc_2"}, NOW),
        ({"account": "acc_3"}, NOW),
    ):
        grant = replace(GRANT, **changed)
        assert not open_grant(store, grant, now=now)
        assert store.read_grant("grant_1", NOW) is None
        assert store.grants_of(grant.account, NOW) == []
    assert store.read_account("acc_3") is None
    assert open_grant(store, replace(GRANT, key="k2"), now=NOW + 4)


def test_an_id_that_is_taken_stays_with_its_grant(store) -> None:
    assert open_grant(store)
    assert not open_grant(store, replace(GRANT, account="acc_2", key="k9"))
    assert store.read_grant("grant_1", NOW) == GRANT
    assert store.grants_of("acc_2", NOW) == []


def test_an_account_has_so_many_and_no_more(store) -> None:
    opened = [open_grant(store, replace(GRANT, id=f"grant_{n}"), most=2) for n in range(3)]
    assert opened == [True, True, False]
    assert ids(store) == ["grant_0", "grant_1"]
    assert store.read_grant("grant_2", NOW) is None
    assert store.end_grant("acc_1", "grant_0")
    assert open_grant(store, replace(GRANT, id="grant_2"), most=2)
    assert ids(store) == ["grant_1", "grant_2"]
    assert open_grant(store, replace(GRANT, account="acc_2", key="k9", id="grant_3"), most=1)


def test_concurrently_opened_grants_stay_within_the_limit(store) -> None:
    """Four threads, since every store serializes the grants of an account."""
    grants = [replace(GRANT, id=f"grant_{n}") for n in range(10)]
    with ThreadPoolExecutor(min(THREADS, 4)) as threads:
        opened = list(threads.map(lambda grant: open_grant(store, grant, most=4), grants))
    assert opened.count(True) == 4
    assert ids(store) == sorted(grant.id for grant, done in zip(grants, opened, strict=True) if done)


def test_expired_grants_are_absent_and_take_no_room(store) -> None:
    for n, ends in enumerate([ENDS, ENDS + 1]):
        assert open_grant(store, replace(GRANT, id=f"grant_{n}", expires_at=ends))
    assert store.read_grant("grant_0", ENDS - 1) is not None
    assert store.read_grant("grant_0", ENDS) is None
    assert ids(store, ENDS) == ["grant_1"]
    later = replace(GRANT, id="grant_2", expires_at=ENDS + 60)
    assert not open_grant(store, later, most=2, now=ENDS - 1)
    assert open_grant(store, later, most=2, now=ENDS)
    assert ids(store, ENDS) == ["grant_1", "grant_2"]


def test_tokens_take_the_place_of_the_code_and_of_those_before(store) -> None:
    open_grant(store)
    for change in (REDEEMED, REFRESHED):
        assert store.change_grant(change)
        assert store.read_grant("grant_1", NOW) == change
        assert store.grants_of("acc_1", ENDS) == [change]


def test_of_two_changes_of_one_version_one_is_made(store) -> None:
    open_grant(store)
    assert store.change_grant(REDEEMED)
    assert not store.change_grant(GRANT.renewed("another", "turn", "access", NOW + 1))
    assert not store.change_grant(REFRESHED.renewed("family", "turn 3", "access 3", NOW + 3))
    assert store.read_grant("grant_1", NOW) == REDEEMED
    with ThreadPoolExecutor(4) as threads:
        changes = [REDEEMED.renewed("family", f"turn {n}", "access", NOW + 2) for n in range(8)]
        made = list(threads.map(store.change_grant, changes))
    assert made.count(True) == 1
    assert store.read_grant("grant_1", NOW) == changes[made.index(True)]


def test_an_ended_grant_stays_ended(store, account) -> None:
    open_grant(store)
    assert not store.end_grant("acc_2", "grant_1")
    assert store.read_grant("grant_1", NOW) == GRANT
    assert store.end_grant("acc_1", "grant_1")
    assert not store.end_grant("acc_1", "grant_1")
    assert not store.change_grant(REDEEMED)
    store.count_grant("grant_1", MONTH, OLDEST, 1, NOW)
    assert store.read_grant("grant_1", NOW) is None
    assert store.grants_of("acc_1", NOW) == []
    assert store.read_account("acc_1") == account


def test_calls_are_added_by_month_and_the_oldest_dropped(store) -> None:
    open_grant(store)
    months = {shift_month(MONTH, -n): n for n in range(1, KEPT_MONTHS + 1)}
    for month, calls in months.items():
        store.count_grant("grant_1", month, "2000-01", calls, NOW + 3)
    found = store.read_grant("grant_1", NOW)
    assert found == replace(GRANT, used_at=NOW + 3, calls=months)
    for _ in range(2):
        store.count_grant("grant_1", MONTH, OLDEST, 3, NOW + 4)
    months.pop(min(months))
    assert store.read_grant("grant_1", NOW).calls == months | {MONTH: 6}
    assert store.grants_of("acc_1", NOW) == [store.read_grant("grant_1", NOW)]


@pytest.mark.parametrize("ahead", [14, -16, 140])
def test_a_wrong_clock_drops_no_month_of_a_grant(stores, store, account, ahead) -> None:
    kept = {shift_month(MONTH, -n): n + 1 for n in range(13)}
    store.delete_account("acc_1")
    stores.open_maintenance().insert_records([StoredAccount(account, grants=(replace(GRANT, calls=kept),))])
    wrong = [shift_month(MONTH, ahead + n) for n in (0, 1, 2)]
    for month in wrong:
        store.count_grant("grant_1", month, shift_month(month, -13), 1, NOW)
    assert store.read_grant("grant_1", NOW).calls == kept | dict.fromkeys(wrong, 1)


def test_counting_and_changing_do_not_hinder_each_other(store) -> None:
    open_grant(store)
    store.count_grant("grant_1", MONTH, OLDEST, 1, NOW)
    assert store.change_grant(REDEEMED)
    store.count_grant("grant_1", MONTH, OLDEST, 1, NOW + 7)
    assert store.read_grant("grant_1", NOW) == replace(REDEEMED, used_at=NOW + 7, calls={MONTH: 2})
    assert store.change_grant(REFRESHED)
    assert store.read_grant("grant_1", NOW) == replace(REFRESHED, calls={MONTH: 2})


def test_changes_of_the_account_keep_its_grants(store) -> None:
    open_grant(store)
    store.set_plan("acc_1", "pro", 9)
    store.reserve_calls(AccountCalls("acc_1", "k1", MONTH, OLDEST, NOW))
    store.rotate_key("acc_1", "k1", "k3", ends=NOW, expired=(), most=9, now=NOW)
    store.revoke_all_keys("acc_1", NOW)
    assert store.grants_of("acc_1", NOW) == [GRANT]


def test_an_account_is_deleted_with_its_grants(store) -> None:
    open_grant(store)
    store.count_grant("grant_1", MONTH, OLDEST, 1, NOW)
    open_grant(store, replace(GRANT, id="grant_2", account="acc_2", key="k9"))
    assert store.delete_account("acc_1")
    assert store.read_grant("grant_1", NOW) is None
    assert store.grants_of("acc_1", NOW) == []
    assert [grant.id for grant in store.grants_of("acc_2", NOW)] == ["grant_2"]


# ---- clients ----


def test_a_client_is_read_as_it_was_kept_until_it_ends(store) -> None:
    assert store.read_client(CLIENT.id, NOW) is None
    store.keep_client(CLIENT, ENDS)
    assert store.read_client(CLIENT.id, ENDS - 1) == CLIENT
    assert store.read_client(CLIENT.id, ENDS) is None


def test_a_client_without_a_page_takes_the_place_of_one_with(store) -> None:
    store.keep_client(CLIENT, ENDS)
    later = replace(CLIENT, name="other", redirect_uris=("https://c.example/",), uri=None, created_at=NOW + 1)
    store.keep_client(later, ENDS + 1)
    assert store.read_client(CLIENT.id, ENDS) == later
    document = replace(later, id="https://c.example/client.json")
    store.keep_client(document, ENDS)
    assert store.read_client(document.id, NOW) == document
    assert store.read_client(CLIENT.id, NOW) == later


def test_a_client_is_extended_and_never_shortened(store) -> None:
    store.extend_client(CLIENT.id, ENDS)
    assert store.read_client(CLIENT.id, NOW) is None
    store.keep_client(CLIENT, ENDS)
    for ends in (ENDS + 9, ENDS + 5):
        store.extend_client(CLIENT.id, ends)
        assert store.read_client(CLIENT.id, ENDS + 8) == CLIENT
        assert store.read_client(CLIENT.id, ENDS + 9) is None
