"""The meaning of each error of DynamoDB, and which requests are repeated."""

import pytest
from botocore.exceptions import ClientError, ReadTimeoutError

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.dynamodb import table as table_module
from brskills_server.adapters.dynamodb.client import ConditionFailed
from brskills_server.adapters.dynamodb.table import Table
from brskills_server.adapters.dynamodb.values import change


def failure(code: str, *reasons: str) -> ClientError:
    answer = {"Error": {"Code": code}, "CancellationReasons": [{"Code": reason} for reason in reasons]}
    return ClientError(answer, "TransactWriteItems")


class Scripted:
    """A client that raises prepared exceptions, then answers."""

    def __init__(self, *failures: Exception) -> None:
        self.failures = list(failures)
        self.calls = 0

    def transact_write_items(self, **_):
        self.calls += 1
        if self.failures:
            raise self.failures.pop(0)
        return {}

    update_item = transact_write_items


def write_both(client: Scripted) -> None:
    Table(client, "Access").update_and_create("a", change("ADD calls :one", {}, {"one": 1}), {"pk": "b"})


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch) -> None:
    monkeypatch.setattr(table_module.time, "sleep", lambda _: None)


CONFLICT = failure("TransactionCanceledException", "None", "TransactionConflict")


@pytest.mark.parametrize("refusal", [CONFLICT, failure("ThrottlingException")])
def test_a_refused_write_is_tried_eight_times(refusal) -> None:
    client = Scripted(*[refusal] * 7)
    write_both(client)
    assert client.calls == 8
    with pytest.raises(StoreUnavailable):
        write_both(Scripted(*[refusal] * 8))


def test_a_condition_is_no_reason_to_try_again() -> None:
    client = Scripted(failure("TransactionCanceledException", "None", "ConditionalCheckFailed"))
    with pytest.raises(ConditionFailed):
        write_both(client)
    assert client.calls == 1


def test_a_write_in_doubt_is_not_repeated() -> None:
    client = Scripted(ReadTimeoutError(endpoint_url="http://127.0.0.1"))
    with pytest.raises(StoreUnavailable):
        write_both(client)
    assert client.calls == 1


def test_a_call_counted_while_a_transaction_holds_the_account_waits_for_it() -> None:
    client = Scripted(failure("TransactionConflictException"))
    Table(client, "Access").update("a", change("ADD calls :one", {}, {"one": 1}))
    assert client.calls == 2
