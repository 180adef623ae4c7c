"""Files of snapshots in an S3 bucket, for builders on machines without a lasting disk.

The next build downloads the snapshot in place, to compare with.
"""

from collections.abc import Collection
from pathlib import Path
from typing import Any

from boto3.exceptions import Boto3Error
from botocore.exceptions import BotoCoreError, ClientError

from brskills_server.adapters.snapshots.folder import FILE
from brskills_server.snapshot_builder.errors import SnapshotError

_PREFIX = "months/"


class Bucket:
    """``months/<name>/companies.db`` for each kept snapshot. Every method may raise `SnapshotError`."""

    def __init__(self, s3: Any, name: str) -> None:
        self._s3 = s3
        self._name = name

    def download(self, name: str, folder: Path) -> bool:
        """Download a snapshot's file into ``folder/<name>``. Return `False` if the bucket does not have it.

        An existing file is used as it is: boto3 gives a file its name when it is complete.
        """
        target = folder / name / FILE
        if target.exists():
            return True
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._s3.download_file(self._name, _key(name), str(target))
        except (Boto3Error, BotoCoreError, ClientError) as error:
            if isinstance(error, ClientError) and error.response["Error"]["Code"] in {"404", "NoSuchKey"}:
                target.parent.rmdir()
                return False
            raise SnapshotError(f"S3: {error}") from error
        return True

    def upload(self, file: Path, name: str, others: Collection[str]) -> None:
        """Upload a snapshot's file, and delete those of all but it and ``others``."""
        try:
            self._s3.upload_file(str(file), self._name, _key(name))
            pages = self._s3.get_paginator("list_objects_v2").paginate(Bucket=self._name, Prefix=_PREFIX)
            kept = {_key(one) for one in (name, *others)}
            for key in [found["Key"] for page in pages for found in page.get("Contents", ())]:
                if key not in kept:
                    self._s3.delete_object(Bucket=self._name, Key=key)
        except (Boto3Error, BotoCoreError, ClientError) as error:
            raise SnapshotError(f"S3: {error}") from error


def _key(name: str) -> str:
    return f"{_PREFIX}{name}/{FILE}"
