"""Fixtures for every suite: no network but loopback, no real credentials, a clock that is set by hand."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import boto3
import pytest
from moto import mock_aws

from access import Accounts, Ledger, Pseudonyms, Signups
from access.api_key import digest
from gateway.tables import create_tables
from gateway.template import load
from storage import Table

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient

os.environ |= {
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
    "AWS_DEFAULT_REGION": "sa-east-1",
    "POWERTOOLS_LOG_LEVEL": "INFO",
}

NOVEMBER = 1_795_000_000.0  # 2026-11-18 in São Paulo
DEMO_KEY = "a-public-key-of-these-tests"


class Clock:
    """Unix time that moves only when told to."""

    def __init__(self, now: float = NOVEMBER) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="session")
def session_client() -> Iterator[DynamoDBClient]:
    """Made once: a client costs four times what an empty DynamoDB with tables does."""
    client = boto3.client("dynamodb")
    yield client
    client.close()


@pytest.fixture
def client(session_client: DynamoDBClient) -> Iterator[DynamoDBClient]:
    """DynamoDB in this process, empty but for the template's tables."""
    with mock_aws(config={"core": {"reset_boto3_session": False}}):
        create_tables(session_client, load().tables)
        yield session_client


@pytest.fixture
def table(client) -> Table:
    return Table(client, "Access")


@pytest.fixture
def accounts(table, clock) -> Accounts:
    return Accounts(table, digest(DEMO_KEY), clock)


@pytest.fixture
def ledger(table, clock) -> Ledger:
    return Ledger(table, demo_limit=3, clock=clock)


@pytest.fixture
def signups(table, clock) -> Signups:
    return Signups(table, Pseudonyms(table), per_day=2, clock=clock)
