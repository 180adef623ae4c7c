"""Requests and items of DynamoDB, as release 1.0.0 wrote them."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from boto3.dynamodb.types import TypeSerializer
from botocore.exceptions import ClientError, ConnectTimeoutError, EndpointConnectionError, ReadTimeoutError

from brskills_server.accounts.account import Account
from brskills_server.accounts.billing import Billing, Subscription
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.accounts.grant import Client, Grant
from brskills_server.adapters.dynamodb.access import DynamoAccess
from brskills_server.metering.ports import AccountCalls, AddressCalls
from tests.services.releasing import release, release_demo

NOW = 1_795_000_000


def stored(**fields: Any) -> dict[str, Any]:
    """Return fields as boto3 writes them."""
    return {name: TypeSerializer().serialize(value) for name, value in fields.items()}


ITEM = stored(
    pk="ACCOUNT#acc_1",
    plan="pro",
    monthly_limit=10_000,
    keys={"k1": 0, "k2": NOW + 60},
    created_at=NOW,
    email="dev@exemplo.com.br",
    subscriptions={
        "sub_1": {"status": "active", "customer": "cus_1", "plan": "pro"},
        "sub_2": {"status": "paused", "customer": "cus_1"},
        "sub_3": {"status": "active", "customer": "cus_1", "plan": "pro", "paid_back": True},
    },
    customer="cus_1",
    billing_version=4,
    **{"calls#2026-10": 7, "calls#2026-11": 1},
)
SUBSCRIPTIONS = {
    "sub_1": Subscription("sub_1", "acc_1", "cus_1", "active", "pro"),
    "sub_2": Subscription("sub_2", "acc_1", "cus_1", "paused", None),
    "sub_3": Subscription("sub_3", "acc_1", "cus_1", "active", "pro", paid_back=True),
}
ACCOUNT = Account(
    "acc_1",
    "pro",
    10_000,
    keys={"k1": 0, "k2": NOW + 60},
    calls={"2026-10": 7, "2026-11": 1},
    created_at=NOW,
    email="dev@exemplo.com.br",
    billing=Billing(SUBSCRIPTIONS, "cus_1", 4),
)

OPENED = {
    "id": "grant_1",
    "account": "acc_1",
    "key": "k1",
    "client": "brsk_cl_1",
    "client_name": "Assistente",
    "scopes": frozenset({"pix"}),
    "resource": "https://api.example/mcp",
    "redirect_uri": "https://client.example/cb",
    "challenge": "challenge",
    "code": "code",
    "created_at": NOW,
    "used_at": NOW,
    "expires_at": NOW + 60,
}
GRANT = Grant(**OPENED)
ABSENT = "attribute_not_exists(pk)"


class Recorder:
    """A client that records requests and returns one item, or fails conditional writes."""

    def __init__(self, refusing: bool = False) -> None:
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self._refusing = refusing

    def __getattr__(self, operation: str) -> Any:
        def call(**request: Any) -> dict[str, Any]:
            self.asked.append((operation, request))
            conditional = any("ConditionExpression" in of for _, of in _single(operation, request))
            if self._refusing and conditional:
                failure = {"Error": {"Code": "ConditionalCheckFailedException"}, "Item": ITEM}
                raise ClientError(failure, operation)
            return {"Item": ITEM, "Attributes": ITEM, "Items": [ITEM]}

        return call

    @property
    def keys(self) -> list[tuple[str, str]]:
        """Operation and partition key of every request."""
        single = [one for name, of in self.asked for one in _single(name, of)]
        return [(name, (of.get("Key") or of["Item"])["pk"]["S"]) for name, of in single]


def _single(name: str, of: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Return the writes of a transaction, or the request itself."""
    if "TransactItems" not in of:
        return [(name, of)]
    return [(kind.lower(), write) for item in of["TransactItems"] for kind, write in item.items()]


@pytest.fixture
def client() -> Recorder:
    return Recorder()


@pytest.fixture
def store(client: Recorder) -> DynamoAccess:
    return DynamoAccess(client, "Access", "Watches")


def test_an_account_is_one_consistent_read(store, client) -> None:
    assert store.read_account("acc_1") == ACCOUNT
    key = {"pk": {"S": "ACCOUNT#acc_1"}}
    assert client.asked == [("get_item", {"TableName": "Access", "Key": key, "ConsistentRead": True})]


def test_a_counted_call_is_one_conditional_write(store, client) -> None:
    assert store.reserve_calls(AccountCalls("acc_1", "k1", "2026-11", "2025-10", NOW)) == ("pro", 10_000, 1)
    ((operation, request),) = client.asked
    assert (operation, request["Key"]) == ("update_item", {"pk": {"S": "ACCOUNT#acc_1"}})
    assert filled(request, "UpdateExpression") == "ADD calls#2026-11 1"
    assert filled(request, "ConditionExpression") == (
        "(keys.k1 = 0 OR keys.k1 > 1795000000)"
        " AND (attribute_not_exists(monthly_limit) OR calls#2026-11 < monthly_limit"
        " OR (attribute_not_exists(calls#2026-11) AND monthly_limit > 0))"
    )
    assert request["ReturnValuesOnConditionCheckFailure"] == "ALL_OLD"


def test_a_new_account_comes_after_its_key(store, client) -> None:
    store.open_account(Account("acc_1", "enterprise", None, {"k1": 0}, created_at=NOW))
    account = stored(pk="ACCOUNT#acc_1", plan="enterprise", keys={"k1": 0}, created_at=NOW)
    assert client.asked == [
        ("put_item", {"TableName": "Access", "Item": stored(pk="KEY#k1", account="acc_1")}),
        ("put_item", {"TableName": "Access", "Item": account, "ConditionExpression": ABSENT}),
    ]


CHANGES = {
    "add_key": (lambda store: store.add_key("acc_1", "k3"), ["update ACCOUNT#acc_1", "put KEY#k3"]),
    "rotate_key": (
        lambda store: store.rotate_key("acc_1", "k1", "k3", ends=NOW, expired=["k2"], most=2, now=NOW),
        ["update ACCOUNT#acc_1", "put KEY#k3", "update KEY#k1"],
    ),
    "revoke_key": (
        lambda store: store.revoke_key("acc_1", "k1", NOW),
        ["update ACCOUNT#acc_1", "update KEY#k1"],
    ),
    "revoke_all_keys": (
        lambda store: store.revoke_all_keys("acc_1", NOW),
        ["update ACCOUNT#acc_1", "update KEY#k1", "update KEY#k2"],
    ),
    "set_plan": (lambda store: store.set_plan("acc_1", "pro", 9), ["update ACCOUNT#acc_1"]),
    "set_dedicated_gateway_key": (
        lambda store: store.set_dedicated_gateway_key("acc_1", "pro"),
        ["update ACCOUNT#acc_1"],
    ),
    "reserve_demo_calls": (
        lambda store: store.reserve_demo_calls(AddressCalls("hash", "2026-11", 3, NOW)),
        ["update DEMO#hash"],
    ),
    "change_grant": (lambda store: store.change_grant(replace(GRANT, version=1)), ["update GRANT#grant_1"]),
    "end_grant": (
        lambda store: store.end_grant("acc_1", "grant_1"),
        ["delete GRANT#grant_1", "update ACCOUNT#acc_1"],
    ),
    "count_grant": (
        lambda store: store.count_grant("grant_1", "2026-11", "2025-10", 1, NOW),
        ["update GRANT#grant_1"],
    ),
    "extend_client": (lambda store: store.extend_client("brsk_cl_1", NOW), ["update CLIENT#brsk_cl_1"]),
}


@pytest.mark.parametrize("name", CHANGES)
def test_the_writes_of_a_change_and_their_order(store, client, name) -> None:
    change, writes = CHANGES[name]
    change(store)
    assert [f"{operation.removesuffix('_item')} {pk}" for operation, pk in client.keys] == writes
    writes_made = [one for asked in client.asked for one in _single(*asked)]
    assert all("ConditionExpression" in of for operation, of in writes_made if operation.startswith("update"))


@pytest.mark.parametrize("name", CHANGES)
def test_after_a_refused_write_nothing_follows(name) -> None:
    client = Recorder(refusing=True)
    change, _ = CHANGES[name]
    assert not change(DynamoAccess(client, "Access", "Watches"))
    assert len(client.asked) == 1


def test_a_key_that_ended_may_be_deleted_from_then_on(store, client) -> None:
    store.rotate_key("acc_1", "k1", "k3", ends=NOW + 60, expired=(), most=9, now=NOW)
    record = client.asked[-1][1]
    assert (record["UpdateExpression"], record["ExpressionAttributeValues"]) == (
        "SET expires_at = :ends",
        {":ends": {"N": "1795000060"}},
    )


def test_keys_are_revoked_though_their_records_are_deleted_already(store, client) -> None:
    def update(**of: Any) -> dict[str, Any]:
        client.asked.append(("update_item", of))
        if of["Key"]["pk"]["S"].startswith("KEY#"):
            raise ClientError({"Error": {"Code": "ConditionalCheckFailedException"}}, "UpdateItem")
        return {"Attributes": ITEM}

    client.update_item = update
    assert store.revoke_all_keys("acc_1", NOW) == ACCOUNT
    assert store.revoke_key("acc_1", "k1", NOW)
    assert [pk for _, pk in client.keys] == ["ACCOUNT#acc_1", "KEY#k1", "KEY#k2", "ACCOUNT#acc_1", "KEY#k1"]


def test_a_salt_is_looked_for_before_it_is_made(store, client) -> None:
    client.get_item = lambda **of: client.asked.append(("get_item", of)) or {}
    assert store.month_salt("2026-11", b"salt", NOW) == b"salt"
    item = stored(pk="SALT#2026-11", salt=b"salt", expires_at=NOW)
    assert client.keys == [("get_item", "SALT#2026-11"), ("put_item", "SALT#2026-11")]
    assert client.asked[1][1]["Item"] == item
    assert client.asked[1][1]["ConditionExpression"] == ABSENT
    client.get_item = lambda **_: {"Item": item}
    assert store.month_salt("2026-11", b"other", NOW) == b"salt"


def test_the_first_of_two_concurrent_salts_is_kept() -> None:
    client = Recorder(refusing=True)
    first = {"pk": {"S": "SALT#2026-11"}, "salt": {"B": b"first"}}
    found = [{}, {"Item": first}]
    client.get_item = lambda **_: found.pop(0)
    assert DynamoAccess(client, "Access", "Watches").month_salt("2026-11", b"second", NOW) == b"first"


@pytest.mark.parametrize(
    ("count", "pk"),
    [
        (lambda store: store.count_in_window("hash", "2026-11-18", 5, NOW), "SIGNUP#hash"),
        (lambda store: store.reserve_demo_calls(AddressCalls("hash", "2026-11", 5, NOW)), "DEMO#hash"),
    ],
)
def test_a_counter_is_one_write_and_ages(client, count, pk) -> None:
    ITEM_OF_COUNTER = {"issued#2026-11-18": {"N": "1"}, "calls#2026-11": {"N": "1"}}
    client.update_item = lambda **of: (
        client.asked.append(("update_item", of)) or {"Attributes": ITEM_OF_COUNTER}
    )
    assert count(DynamoAccess(client, "Access", "Watches"))
    ((_, request),) = client.asked
    assert request["Key"] == {"pk": {"S": pk}}
    assert request["UpdateExpression"] == "ADD #count :more SET expires_at = :ends"
    assert request["ExpressionAttributeValues"][":ends"] == {"N": "1795000000"}


def test_a_release_and_its_id_are_one_transaction(store, client) -> None:
    release(store, "acc_1", "2026-11", name="r1")
    release_demo(store, "hash", "2026-11", name="r2", allowance=50)
    store.has_release("r1")
    assert client.keys[-1] == ("get_item", "RELEASE#r1")
    for (operation, request), pks in zip(
        client.asked, (["ACCOUNT#acc_1", "RELEASE#r1"], ["DEMO#hash", "RELEASE#r2"]), strict=False
    ):
        assert operation == "transact_write_items"
        writes = [write["Update"] for write in request["TransactItems"]]
        assert [write["Key"]["pk"]["S"] for write in writes] == pks
        assert writes[1]["ConditionExpression"] == ABSENT


def test_an_event_and_its_account_are_one_transaction(store, client) -> None:
    after = replace(ACCOUNT, plan="free", monthly_limit=None, billing=Billing(SUBSCRIPTIONS, "cus_1", 5))
    assert store.record_event("evt_1", NOW, ACCOUNT, after)
    ((operation, request),) = client.asked
    update, put = (next(iter(write.values())) for write in request["TransactItems"])
    assert operation == "transact_write_items"
    assert put == {
        "TableName": "Access",
        "Item": stored(pk="EVENT#evt_1", expires_at=NOW),
        "ConditionExpression": ABSENT,
    }
    assert (update["TableName"], update["Key"]) == ("Access", {"pk": {"S": "ACCOUNT#acc_1"}})
    assert filled(update, "UpdateExpression") == (
        "SET plan = free, subscriptions = SUBSCRIPTIONS, customer = cus_1, billing_version = 5"
        " REMOVE monthly_limit"
    )
    assert filled(update, "ConditionExpression") == "plan = pro AND billing_version = 4"
    assert ITEM["subscriptions"] in update["ExpressionAttributeValues"].values()


def test_a_grant_and_its_account_are_one_transaction(store, client) -> None:
    assert store.open_grant(GRANT, 50, NOW)
    ((operation, request),) = client.asked
    update, put = (next(iter(write.values())) for write in request["TransactItems"])
    assert operation == "transact_write_items"
    assert (update["TableName"], update["Key"]) == ("Access", {"pk": {"S": "ACCOUNT#acc_1"}})
    assert update["ExpressionAttributeValues"][":grant"] == {"SS": ["grant_1"]}
    assert update["UpdateExpression"] == "ADD #grants :grant"
    assert filled(update, "ConditionExpression") == (
        "(keys.k1 = 0 OR keys.k1 > 1795000000) AND (attribute_not_exists(grants) OR size(grants) < 50)"
    )
    assert put["ConditionExpression"] == ABSENT
    of_later = dict.fromkeys(("family", "turn", "access", "former"), "")
    of_later |= dict.fromkeys(("access_ends", "former_ends", "version"), 0)
    assert put["Item"] == stored(pk="GRANT#grant_1", **OPENED, **of_later)


def test_a_client_is_one_write_and_ages(store, client) -> None:
    uris = ("https://b.example/cb", "http://127.0.0.1/")
    store.keep_client(Client("brsk_cl_1", "é", uris, NOW), NOW + 9)
    fields = {"id": "brsk_cl_1", "name": "é", "redirect_uris": list(uris), "created_at": NOW}
    item = stored(pk="CLIENT#brsk_cl_1", **fields, expires_at=NOW + 9)
    assert client.asked == [("put_item", {"TableName": "Access", "Item": item})]


def test_an_accounts_grants_are_one_batch_of_consistent_reads_until_all_are_read(client) -> None:
    def item(name: str) -> dict[str, Any]:
        return {"pk": {"S": f"GRANT#{name}"}}

    left = {"Access": {"Keys": [item("g2")], "ConsistentRead": True}}
    shown = {**grant_item(), "expires_at": {"N": "1795000060"}}
    answers = [{"Responses": {"Access": [shown]}, "UnprocessedKeys": left}, {"Responses": {"Access": []}}]
    listed = {**ITEM, "grants": {"SS": ["g1", "g2"]}}
    client.get_item = lambda **of: client.asked.append(("get_item", of)) or {"Item": listed}
    client.batch_get_item = lambda **of: client.asked.append(("batch_get_item", of)) or answers.pop(0)
    assert DynamoAccess(client, "Access", "Watches").grants_of("acc_1", NOW) == [GRANT]
    assert [operation for operation, _ in client.asked] == ["get_item", "batch_get_item", "batch_get_item"]
    first, second = (of["RequestItems"]["Access"] for _, of in client.asked[1:])
    assert sorted(key["pk"]["S"] for key in first["Keys"]) == ["GRANT#g1", "GRANT#g2"]
    assert first["ConsistentRead"] is second["ConsistentRead"] is True
    assert second["Keys"] == [item("g2")]


def grant_item() -> dict[str, Any]:
    """Return the stored item of ``GRANT``."""
    recorder: Any = Recorder()
    DynamoAccess(recorder, "Access", "Watches").open_grant(GRANT, 50, NOW)
    item: dict[str, Any] = recorder.asked[0][1]["TransactItems"][1]["Put"]["Item"]
    return item


def test_a_batch_that_is_never_read_whole_is_a_fault(client, monkeypatch) -> None:
    monkeypatch.setattr("brskills_server.adapters.dynamodb.table._BATCH_PAUSES", (0, 0))
    left = {"Access": {"Keys": [{"pk": {"S": "GRANT#g1"}}]}}
    client.get_item = lambda **_: {"Item": {**ITEM, "grants": {"SS": ["g1"]}}}
    client.batch_get_item = lambda **_: {"Responses": {}, "UnprocessedKeys": left}
    with pytest.raises(StoreUnavailable, match="batch_get_item"):
        DynamoAccess(client, "Access", "Watches").grants_of("acc_1", NOW)


def test_the_first_event_of_an_account_expects_no_version(store, client) -> None:
    before = replace(ACCOUNT, billing=Billing())
    store.record_event("evt_1", NOW, before, replace(before, billing=Billing({}, "cus_1", 1)))
    update = client.asked[0][1]["TransactItems"][0]["Update"]
    condition = filled(update, "ConditionExpression")
    assert condition == "plan = pro AND attribute_not_exists(billing_version)"


def filled(request: dict[str, Any], expression: str) -> str:
    """Return an expression with its names and values filled in."""
    text = request[expression]
    names = sorted(request["ExpressionAttributeNames"].items(), reverse=True)  # "#keys" before "#key"
    for place, name in names:
        text = text.replace(place, name)
    for place, value in request["ExpressionAttributeValues"].items():
        shown = "SUBSCRIPTIONS" if "M" in value else next(iter(value.values()))
        text = text.replace(place, str(shown))
    return text


def test_every_page_of_a_scan_is_read(client) -> None:
    pages = [{"Items": [ITEM], "LastEvaluatedKey": {"pk": {"S": "x"}}}, {"Items": [ITEM]}]
    client.scan = lambda **of: client.asked.append(("scan", of)) or pages.pop(0)
    assert list(DynamoAccess(client, "Access", "Watches").list_accounts()) == [ACCOUNT, ACCOUNT]
    assert [of.get("ExclusiveStartKey") for _, of in client.asked] == [None, {"pk": {"S": "x"}}]


@pytest.mark.parametrize(
    ("fault", "requests"),
    [
        (EndpointConnectionError(endpoint_url="http://127.0.0.1"), 3),  # refused at once: nothing was done
        (ConnectTimeoutError(endpoint_url="http://127.0.0.1"), 1),  # it has taken its time already
        (ReadTimeoutError(endpoint_url="http://127.0.0.1"), 1),  # it may have been done
    ],
)
def test_only_refused_connections_are_tried_again(monkeypatch, fault, requests) -> None:
    monkeypatch.setattr("brskills_server.adapters.dynamodb.table._PAUSES", (0, 0))
    asked = []

    def get_item(**of: Any) -> Any:
        asked.append(of)
        raise fault

    client: Any = SimpleNamespace(get_item=get_item)
    with pytest.raises(StoreUnavailable):
        DynamoAccess(client, "Access", "Watches").read_account("acc_1")
    assert len(asked) == requests
