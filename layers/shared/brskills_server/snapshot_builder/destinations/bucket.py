"""Months' files kept in an S3 bucket, for a builder on machines that have no disk of their own.

The next build compares with the month in place, which it brings first.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from boto3.exceptions import Boto3Error
from botocore.exceptions import BotoCoreError, ClientError

from brskills_server.adapters.snapshots.folder import FILE
from brskills_server.snapshot_builder.errors import SnapshotError

__all__ = ["Bucket"]

_BELOW = "months/"


class Bucket:
    """``months/<name>/companies.db`` for each month that is kept. Every method may raise ``SnapshotError``."""

    def __init__(self, s3: Any, name: str) -> None:
        self._s3 = s3
        self._name = name

    def bring(self, name: str, folder: Path) -> bool:
        """A month's file into ``folder/<name>``; ``False`` where it is not kept.

        It has its name when it is whole, which boto3 sees to; one that is there already is taken as it is.
        """
        target = folder / name / FILE
        if target.exists():
            return True
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._s3.download_file(self._name, _key(name), str(target))
        except ClientError as failure:
            if failure.response["Error"]["Code"] in {"404", "NoSuchKey"}:
                target.parent.rmdir()
                return False
            raise SnapshotError(f"S3: {failure}") from failure
        except (Boto3Error, BotoCoreError) as failure:
            raise SnapshotError(f"S3: {failure}") from failure
        return True

    def keep(self, file: Path, name: str, others: Collection[str]) -> None:
        """Put a month's file there, and delete those of all but it and ``others``."""
        try:
            self._s3.upload_file(str(file), self._name, _key(name))
            pages = self._s3.get_paginator("list_objects_v2").paginate(Bucket=self._name, Prefix=_BELOW)
            kept = {_key(one) for one in (name, *others)}
            for key in [found["Key"] for page in pages for found in page.get("Contents", ())]:
                if key not in kept:
                    self._s3.delete_object(Bucket=self._name, Key=key)
        except (Boto3Error, BotoCoreError, ClientError) as failure:
            raise SnapshotError(f"S3: {failure}") from failure


def _key(name: str) -> str:
    return f"{_BELOW}{name}/{FILE}"
