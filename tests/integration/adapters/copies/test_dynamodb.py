"""The snapshot in DynamoDB: missing tables, keys and time, and imported tables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.stub import Stubber
from hypothesis import given
from hypothesis import strategies as st
from moto import mock_aws

from brskills_server.adapters.dynamodb.maintenance import DynamoMaintenance
from brskills_server.adapters.dynamodb.packing import packed, unpacked
from brskills_server.adapters.snapshots.dynamodb import IN_PLACE, DynamoMonths
from brskills_server.adapters.snapshots.stored import StoredSnapshot
from brskills_server.registry.store import StoreFault
from brskills_server.snapshot_builder.destinations import table_fillers
from brskills_server.snapshot_builder.destinations.dynamodb import DynamoDestination
from brskills_server.snapshot_builder.destinations.table_fillers import BatchFiller, ImportFiller
from brskills_server.snapshot_builder.errors import SnapshotError
from tests.conftest import Clock
from tests.integration.adapters.copies.months import CNPJ, ROOT, write_file
from tests.integration.adapters.copies.test_contract import AUGUST, PARTNERS, SEPTEMBER, TRICKY, put, quiet
from tests.services.tables import new_table

PLAIN = {
    CNPJ: "NAME", ROOT: "Ç ✓", "ZZ345678": "A", "ZZ345678000101": "B", "99999999": "LAST",
    "98765432": PARTNERS,
}  # fmt: skip
"""Rows without quotation marks, which moto's import cannot read."""

PLACE = {
    name: {"S": value}
    for name, value in {
        "pk": IN_PLACE, "table": "r-a", "name": AUGUST, "format": "2", "day": AUGUST, "texts": "{}"
    }.items()
}  # fmt: skip


@pytest.fixture(scope="module")
def clients() -> tuple[Any, Any]:
    """Return clients of DynamoDB and S3 for a stub or moto."""
    access = {"region_name": "us-east-1", "aws_access_key_id": "x", "aws_secret_access_key": "x"}
    return boto3.client("dynamodb", **access), boto3.client("s3", **access)


@pytest.fixture
def stubbed(clients: tuple[Any, Any]) -> Iterator[tuple[Stubber, StoredSnapshot]]:
    """An adapter over a client with prepared answers."""
    with Stubber(clients[0]) as stubber:
        stubber.add_response("get_item", {"Item": PLACE})
        yield stubber, StoredSnapshot(DynamoMonths(clients[0], "Companies"))
        stubber.assert_no_pending_responses()


def keys_of(*names: str) -> dict[str, Any]:
    return {"r-a": {"Keys": [{"pk": {"S": name}} for name in names]}}


def rows_of(**bodies: str) -> dict[str, Any]:
    return {"r-a": [{"pk": {"S": key[1:]}, "body": {"S": body}} for key, body in bodies.items()]}


def test_a_look_up_is_one_batch_and_unprocessed_keys_are_read_again(
    stubbed: tuple[Stubber, StoredSnapshot],
) -> None:
    stubber, own_copy = stubbed
    first = {"Responses": rows_of(_12345678="R"), "UnprocessedKeys": keys_of(CNPJ)}
    stubber.add_response("batch_get_item", first, {"RequestItems": keys_of(ROOT, CNPJ)})
    second = {"Responses": rows_of(_12345678000195="B"), "UnprocessedKeys": {}}
    stubber.add_response("batch_get_item", second, {"RequestItems": keys_of(CNPJ)})
    found = own_copy.find(CNPJ)
    assert (found.establishment_row, found.company_row) == ("B", "R")


def test_keys_that_stay_unprocessed_are_given_up_after_a_second(
    stubbed: tuple[Stubber, StoredSnapshot], clients: tuple[Any, Any]
) -> None:
    seconds = iter([0.0, 0.1, 0.5, 0.99])
    for _ in range(3):
        stubbed[0].add_response("batch_get_item", {"Responses": {}, "UnprocessedKeys": keys_of(ROOT)})
    own_copy = StoredSnapshot(DynamoMonths(clients[0], "Companies", lambda: next(seconds)))
    with pytest.raises(StoreFault, match="unprocessed"):
        own_copy.find(CNPJ)


@pytest.mark.parametrize("code", ["ThrottlingException", "AccessDeniedException", "InternalServerError"])
def test_an_error_of_dynamodb_is_a_fault(stubbed: tuple[Stubber, StoredSnapshot], code: str) -> None:
    stubber, own_copy = stubbed
    stubber.add_client_error("batch_get_item", code)
    with pytest.raises(StoreFault, match=code):
        own_copy.find(CNPJ)


def test_without_a_table_of_companies_there_is_no_copy(client: Any) -> None:
    own_copy = StoredSnapshot(DynamoMonths(client, "nowhere"))
    assert (own_copy.edition(), own_copy.find(CNPJ)) == (None, None)


@pytest.mark.parametrize("body", [{}, {"body": {"N": "1"}}, {"body": {"B": b"not deflated"}}])
def test_an_invalid_row_affects_its_company_alone(stubbed: tuple[Stubber, StoredSnapshot], body: Any) -> None:
    stubber, own_copy = stubbed
    rows = {"r-a": [{"pk": {"S": CNPJ}, **body}]}
    stubber.add_response("batch_get_item", {"Responses": rows, "UnprocessedKeys": {}})
    with pytest.raises(ValueError, match="unpacked"):
        own_copy.find(CNPJ)


@given(st.one_of(st.text(max_size=50), st.text(alphabet="aç✓\x1d\x1e", min_size=950, max_size=6_000)))
def test_a_packed_body_is_unpacked_unchanged(body: str) -> None:
    assert unpacked(packed(body)) == body


def test_a_body_that_no_item_can_hold_is_empty() -> None:
    noise = "".join(chr(0x4E00 + (n * n * 7919 + n * 104_729) % 20_000) for n in range(400_000))
    assert packed(noise) == ""
    assert isinstance(packed("PARTNER" * 300_000), bytes)


def test_the_current_months_name_is_not_moved_with_the_store(client: Any, tmp_path: Path) -> None:
    companies = new_table(client, "Companies")
    place = DynamoDestination(client, companies, f"moved-{companies[-8:]}", BatchFiller(client), 0.01, 0)
    put(place, tmp_path, AUGUST, {CNPJ: "old"})
    others = [new_table(client, name) for name in ("Access", "Watches")]
    assert list(DynamoMaintenance(client, *others, companies).records()) == []


@pytest.fixture
def aws(clients: tuple[Any, Any]) -> Iterator[tuple[Any, Any, str]]:
    """Return moto's DynamoDB and S3, and the name of a table of companies."""
    client, s3 = clients
    with mock_aws():
        s3.create_bucket(Bucket="register")
        yield client, s3, new_table(client, "Companies")


def test_a_month_is_imported_from_objects_that_do_not_stay(
    aws: tuple[Any, Any, str], tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, s3, companies = aws
    monkeypatch.setattr(table_fillers, "_OBJECT_ROWS", 2)
    s3.put_object(Bucket="register", Key="import/r-a/00009.json.gz", Body=b"of a builder that was killed")
    place = DynamoDestination(client, companies, "r", ImportFiller(client, s3, "register", 0.01), 0.01, 0)
    own_copy = StoredSnapshot(DynamoMonths(client, companies), clock)
    for name, table in ((AUGUST, "r-a"), (SEPTEMBER, "r-b"), ("2026-10-10", "r-a")):
        put(place, tmp_path, name, PLAIN)
        clock.now += 60
        found = own_copy.find(CNPJ)
        assert (found.establishment_row, found.company_row, found.edition.day.isoformat()) == (
            "NAME",
            "Ç ✓",
            name,
        )
        stored = client.get_item(TableName=table, Key={"pk": {"S": "98765432"}})["Item"]
        assert unpacked(stored["body"]["B"]) == PARTNERS
        assert client.describe_table(TableName=table)["Table"]["BillingModeSummary"]["BillingMode"] == (
            "PAY_PER_REQUEST"
        )
    assert [month.name for month in place.snapshots()] == ["2026-10-10", SEPTEMBER]
    assert "Contents" not in s3.list_objects_v2(Bucket="register")


def test_a_failed_import_changes_nothing(aws: tuple[Any, Any, str], tmp_path: Path) -> None:
    client, s3, companies = aws
    put(
        DynamoDestination(client, companies, "r", BatchFiller(client), 0.01, 0),
        tmp_path,
        AUGUST,
        {CNPJ: "old"},
    )
    faulty = DynamoDestination(client, companies, "r", ImportFiller(client, s3, "nowhere", 0.01), 0.01, 0)
    with pytest.raises(SnapshotError, match="NoSuchBucket"):
        faulty.add(write_file(tmp_path / "month.db", TRICKY), SEPTEMBER, quiet)
    assert [(month.name, month.current) for month in faulty.snapshots()] == [(AUGUST, True)]


class Losing(ImportFiller):
    """An import that loses rows."""

    def _write(self, prefix: str, rows: Any) -> None:
        kept = list(rows)
        super()._write(prefix, kept[:-1])


class Changing(ImportFiller):
    """An import that changes rows."""

    def _write(self, prefix: str, rows: Any) -> None:
        super()._write(prefix, ((key, body.lower()) for key, body in rows))


@pytest.mark.parametrize(("faulty", "message"), [(Losing, "took 5 of 6 rows"), (Changing, "other rows")])
def test_a_month_with_missing_or_changed_rows_is_rejected(
    aws: tuple[Any, Any, str], tmp_path: Path, faulty: type[ImportFiller], message: str
) -> None:
    client, s3, companies = aws
    place = DynamoDestination(client, companies, "r", faulty(client, s3, "register", 0.01), 0.01, 0)
    with pytest.raises(SnapshotError, match=message):
        place.add(write_file(tmp_path / "month.db", PLAIN), SEPTEMBER, quiet)
    assert place.snapshots() == []


def test_a_table_that_may_still_be_read_is_not_deleted_yet(
    aws: tuple[Any, Any, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, _, companies = aws
    waited: list[float] = []
    monkeypatch.setattr("brskills_server.snapshot_builder.destinations.dynamodb.time.sleep", waited.append)
    place = DynamoDestination(client, companies, "r", BatchFiller(client))
    for name in (AUGUST, SEPTEMBER):
        put(place, tmp_path, name, {CNPJ: name})
    assert 50 < max(waited) <= 60
