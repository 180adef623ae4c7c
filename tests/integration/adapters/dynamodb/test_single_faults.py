"""Operations of several requests of which one times out: a later attempt finishes them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from brskills_server.accounts.account import Account
from brskills_server.accounts.accounts import Accounts
from brskills_server.accounts.errors import InvalidKey, StoreUnavailable, UnconfirmedRotation
from brskills_server.accounts.grant import Grant
from brskills_server.adapters.dynamodb.access import DynamoAccess
from brskills_server.watches.watch import Added, Change, Watch
from brskills_server.webhooks.webhook import EVENT_TYPES, Secret, Webhook
from tests.integration.adapters.dynamodb.faulty import Faulty
from tests.services.simulated_dynamodb import SimulatedDynamoDB
from tests.services.tables import new_table

REQUESTS = 5  # of a rotation: a read of the account, two writes, and two looks after a fault


@pytest.mark.parametrize(("carried_out", "overlap"), [(True, 60), (False, 0)])
@pytest.mark.parametrize("nth", range(1, REQUESTS + 1))
def test_a_rotation_never_leaves_its_owner_without_a_key(nth: int, carried_out: bool, overlap: int) -> None:
    client, tables = SimulatedDynamoDB(), ("Access", "Watches")
    sound = Accounts(DynamoAccess(client, *tables), "no demo")
    held = [sound.open("free").api_key]
    caller, _ = sound.identify(held[0])
    faulty: Any = Faulty(client, nth, carried_out=carried_out)
    try:
        failing = Accounts(DynamoAccess(faulty, *tables), "no demo", pause=lambda _: None)
        held.append(failing.rotate(caller, overlap).api_key)
    except UnconfirmedRotation as unconfirmed:
        held.append(unconfirmed.api_key)
    except StoreUnavailable:
        assert len(held) == 1
    else:
        assert sound.identify(held[1])[0].account == caller.account
    assert any(_works(sound, key) for key in held)


def _works(accounts: Accounts, key: str) -> bool:
    try:
        accounts.identify(key)
    except InvalidKey:
        return False
    return True


def test_rotations_that_lose_leave_nothing_behind(client: Any) -> None:
    tables = [new_table(client, name) for name in ("Access", "Watches")]
    store = DynamoAccess(client, *tables)
    accounts = Accounts(store, "no demo")
    caller, account = accounts.identify(accounts.open("free").api_key)
    assert account is not None
    for new in ("k2", "k3", "k4"):
        store.rotate_key(account.id, caller.key, new, ends=1, expired=(), most=9, now=2)
    accounts.delete(account.id)
    left = [item["pk"]["S"] for item in client.scan(TableName=tables[0])["Items"]]
    assert left == []


NOW = 1_795_000_000
WATCH, OTHER = Watch("11222333000181", None, NOW), Watch("SANDBOX1000170", "client 7", NOW)
CHANGE = Change("month-11222333000181", "11222333000181", None, "2026-11-08", [{"campo": "porte"}])
WEBHOOK = Webhook("wh_1", "acc_1", "https://hooks.example/", EVENT_TYPES, None, (Secret("whsec_1"),), NOW)
GRANT = Grant("g1", "acc_1", "k1", "c", "", frozenset(), "", "", "", "code", NOW, NOW, NOW + 60)


@pytest.mark.parametrize("carried_out", [True, False])
@pytest.mark.parametrize("nth", [1, 2])
def test_a_grant_that_is_ended_has_ended_or_stays_whole(client: Any, nth: int, carried_out: bool) -> None:
    tables = [new_table(client, name) for name in ("Access", "Watches")]
    sound = DynamoAccess(client, *tables)
    sound.open_account(Account("acc_1", "free", 1, {"k1": 0}, created_at=NOW))
    sound.open_grant(GRANT, 1, NOW)
    faulty: Any = Faulty(client, nth, carried_out=carried_out)
    try:
        assert DynamoAccess(faulty, *tables).end_grant("acc_1", "g1")
    except StoreUnavailable:
        assert nth == 1
    ended = nth == 2 or carried_out
    assert (sound.read_grant("g1", NOW) is None) == ended
    assert len(sound.grants_of("acc_1", NOW)) == (not ended)
    assert sound.open_grant(replace(GRANT, id="g2"), 1, NOW) == ended


@pytest.mark.parametrize("carried_out", [True, False])
@pytest.mark.parametrize(
    "nth", range(1, 13)
)  # two for webhooks, three for watches, a read, two keys, a grant, the account, webhooks, watches
def test_a_failed_deletion_is_finished_by_the_next(client: Any, nth: int, carried_out: bool) -> None:
    tables = [new_table(client, name) for name in ("Access", "Watches")]
    sound = DynamoAccess(client, *tables)
    sound.open_account(Account("acc_1", "free", 1, {"k1": 0}, created_at=NOW))
    sound.add_key("acc_1", "k2")
    sound.open_grant(GRANT, 1, NOW)
    sound.add_watches("acc_1", [WATCH], 1)
    sound.add_webhook(WEBHOOK, 1)
    sound.add_changes([("acc_1", CHANGE)], NOW, NOW + 60)
    faulty: Any = Faulty(client, nth, carried_out=carried_out)
    with pytest.raises(StoreUnavailable):
        DynamoAccess(faulty, *tables).delete_account("acc_1")
    deleted = sound.delete_account("acc_1")
    assert (deleted is None) == (nth >= 11 or (nth == 10 and carried_out))
    assert [client.scan(TableName=table)["Items"] for table in tables] == [[], []]


@pytest.mark.parametrize("carried_out", [True, False])
@pytest.mark.parametrize("nth", range(1, 4))  # the count, the watches, the transaction
def test_a_watch_whose_addition_failed_is_added_once(client: Any, nth: int, carried_out: bool) -> None:
    tables = [new_table(client, name) for name in ("Access", "Watches")]
    sound = DynamoAccess(client, *tables)
    sound.open_account(Account("acc_1", "free", 1, {"k1": 0}, created_at=NOW))
    faulty: Any = Faulty(client, nth, carried_out=carried_out)
    with pytest.raises(StoreUnavailable):
        DynamoAccess(faulty, *tables).add_watches("acc_1", [WATCH], 2)
    was_added = nth == 3 and carried_out
    assert sound.add_watches("acc_1", [WATCH, OTHER], 2) == [Added(WATCH, not was_added), Added(OTHER, True)]
    assert sound.list_watches("acc_1", "", 9) == [WATCH, OTHER]


@pytest.mark.parametrize("carried_out", [True, False])
@pytest.mark.parametrize("nth", [1, 2, 3])  # the webhooks, the last place, the transaction
def test_a_change_whose_addition_failed_is_added_once(client: Any, nth: int, carried_out: bool) -> None:
    tables = [new_table(client, name) for name in ("Access", "Watches")]
    sound = DynamoAccess(client, *tables)
    sound.open_account(Account("acc_1", "free", 1, {"k1": 0}, created_at=NOW))
    sound.add_webhook(WEBHOOK, 1)
    faulty: Any = Faulty(client, nth, carried_out=carried_out)
    changes = [("acc_1", CHANGE), ("acc_1", CHANGE._replace(id="later"))]
    with pytest.raises(StoreUnavailable):
        DynamoAccess(faulty, *tables).add_changes(changes, NOW, NOW + 60)
    sound.add_changes(changes, NOW, NOW + 60)
    assert len(sound.due_deliveries(WEBHOOK, NOW, 9)) == 2
    assert [listed.change for listed in sound.list_changes("acc_1", 0, 9, NOW)] == [of for _, of in changes]
