"""The destination that the environment names."""

from __future__ import annotations

from pathlib import Path

import pytest
from moto import mock_aws

from brskills_server.adapters.dynamodb.client import dynamodb_client
from brskills_server.adapters.snapshots.dynamodb import DynamoMonths
from brskills_server.adapters.snapshots.stored import StoredSnapshot
from brskills_server.snapshot_builder.destinations.opening import open_bucket, open_destination
from brskills_server.snapshot_builder.errors import SnapshotError
from tests.for_each import for_each
from tests.integration.adapters.copies.months import CNPJ
from tests.integration.adapters.copies.test_contract import AUGUST, put
from tests.services.tables import new_table


def test_the_place_in_dynamodb_is_the_one_that_is_read(tmp_path: Path) -> None:
    with mock_aws():
        client = dynamodb_client()
        companies = new_table(client, "Companies")
        environment = {"STORE": "dynamodb", "COMPANIES_TABLE": companies}
        put(open_destination("r", "", environment=environment), tmp_path, AUGUST, {CNPJ: "B"})
        found = StoredSnapshot(DynamoMonths(client, companies)).find(CNPJ)
        assert found.establishment_row == "B"
        assert client.list_tables()["TableNames"] == [companies, "r-a"]
        assert open_bucket("") is None


@pytest.fixture
def without_region(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setenv("AWS_DEFAULT_REGION", "any")  # what is made up is forgotten after the test
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    return monkeypatch


DYNAMODB = {"STORE": "dynamodb", "COMPANIES_TABLE": "Companies"}


def test_the_store_in_aws_needs_one(without_region: pytest.MonkeyPatch) -> None:
    with pytest.raises(SnapshotError, match="AWS_REGION"):
        open_destination("r", "", environment=DYNAMODB)


@for_each(
    ("environment", "named"),
    [
        ({}, "STORE"),
        ({"STORE": "sqlite:///data/brskills.db"}, "STORE"),
        ({"STORE": "dynamodb"}, "COMPANIES_TABLE and --tables"),
        ({"STORE": "dynamodb", "COMPANIES_TABLE": "C"}, "--tables$"),
    ],
)
def test_a_missing_setting_is_named(environment: dict[str, str], named: str) -> None:
    with pytest.raises(SnapshotError, match=named):
        open_destination("", "", environment=environment)


@pytest.mark.parametrize("host", ["[host", "x@host"])
def test_an_invalid_database_is_reported_without_its_password(host: str) -> None:
    with pytest.raises(ValueError, match="STORE") as error:
        open_destination("", "", environment={"STORE": f"postgresql://u:hunter2@{host}/db"})
    assert "hunter2" not in str(error.value)
