"""Snapshot files kept between builds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from moto import mock_aws

from brskills_server.snapshot_builder.destinations.bucket import Bucket
from brskills_server.snapshot_builder.errors import SnapshotError


@pytest.fixture(scope="module")
def client() -> Any:
    return boto3.client("s3", region_name="us-east-1", aws_access_key_id="x", aws_secret_access_key="x")


@pytest.fixture
def s3(client: Any) -> Iterator[Any]:
    with mock_aws():
        client.create_bucket(Bucket="register")
        yield client


def names(s3: Any) -> list[str]:
    return [found["Key"] for found in s3.list_objects_v2(Bucket="register").get("Contents", [])]


def test_a_file_comes_back_as_it_was_kept(s3: Any, tmp_path: Path) -> None:
    bucket = Bucket(s3, "register")
    content = bytes(range(256)) * 34_000  # more than is sent in one part
    (tmp_path / "made.db").write_bytes(content)
    bucket.upload(tmp_path / "made.db", "2026-09-12", [])
    assert bucket.download("2026-09-12", tmp_path / "receita")
    assert (tmp_path / "receita/2026-09-12/companies.db").read_bytes() == content
    assert [file.name for file in (tmp_path / "receita/2026-09-12").iterdir()] == ["companies.db"]


def test_a_month_that_is_not_kept_is_not_brought(s3: Any, tmp_path: Path) -> None:
    assert not Bucket(s3, "register").download("2026-09-12", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_only_the_months_that_are_named_stay(s3: Any, tmp_path: Path) -> None:
    s3.put_object(Bucket="register", Key="import/r-a/00000.json.gz", Body=b"of an import")
    (tmp_path / "made.db").write_bytes(b"any")
    for name, others in (
        ("2026-08-08", ["2026-07-11"]),
        ("2026-09-12", ["2026-08-08"]),
        ("2026-10-10", ["2026-09-12"]),
    ):
        Bucket(s3, "register").upload(tmp_path / "made.db", name, others)
    assert names(s3) == [
        "import/r-a/00000.json.gz",
        "months/2026-09-12/companies.db",
        "months/2026-10-10/companies.db",
    ]


def test_a_bucket_that_is_not_there_is_a_fault(s3: Any, tmp_path: Path) -> None:
    (tmp_path / "made.db").write_bytes(b"any")
    with pytest.raises(SnapshotError, match=r"^S3: "):
        Bucket(s3, "nowhere").upload(tmp_path / "made.db", "2026-09-12", [])
