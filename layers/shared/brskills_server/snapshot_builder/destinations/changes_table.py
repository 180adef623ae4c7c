"""Writing the history to DynamoDB, as ``brskills_server.adapters.snapshots.dynamodb_history`` reads it."""

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, time
from typing import Any

from botocore.exceptions import ClientError

from brskills_server.adapters.dynamodb.packing import packed
from brskills_server.adapters.dynamodb.table import Table
from brskills_server.adapters.snapshots.dynamodb_history import LIFETIME, key_of, write_steps
from brskills_server.registry.snapshot.history import Step, oldest_kept
from brskills_server.snapshot_builder.destinations.destination import SnapshotRows
from brskills_server.snapshot_builder.destinations.table_fillers import KEY, create_table

_EXPIRY = "expires_at"


class ChangesTable:
    """The table ``{prefix}-changes``, created when it is first needed."""

    def __init__(self, client: Any, prefix: str) -> None:
        self._client = client
        self._name = f"{prefix}-changes"

    def add(self, rows: SnapshotRows, steps: Mapping[str, Step]) -> dict[str, str]:
        """Write a month's changes. Return what the month's item says of its history.

        ``steps``: those of other months, also of one that was rolled back from: it may be announced already.
        It can be repeated: the same changes have the same keys.
        """
        step = rows.step
        if step is None:
            return {}
        self._create()
        expiry = int(datetime.combine(step.day + LIFETIME, time.min, UTC).timestamp())
        with Table(self._client, self._name).filling() as put:
            for key, body in rows.changes():
                put({KEY: key_of(key, step.id), "body": packed(body), _EXPIRY: expiry})
        return self.facts([*steps.values(), step], step.day)

    def facts(self, steps: Iterable[Step], day: date) -> dict[str, str]:
        """Return what the item of a month of this day says of its history, of which these are the steps."""
        kept = [step for step in steps if step.day >= oldest_kept(day)]
        return {"changes": self._name, "steps": write_steps(kept)} if kept else {}

    def _create(self) -> None:
        """Create the table if it is missing, and let items expire, also where an earlier run was killed."""
        try:
            self._client.describe_table(TableName=self._name)
        except self._client.exceptions.ResourceNotFoundException:
            create_table(self._client, self._name)
        try:
            self._client.update_time_to_live(
                TableName=self._name,
                TimeToLiveSpecification={"Enabled": True, "AttributeName": _EXPIRY},
            )
        except ClientError as error:
            if error.response["Error"]["Code"] != "ValidationException":  # items expire already
                raise
