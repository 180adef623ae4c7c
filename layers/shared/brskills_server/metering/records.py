"""Reading idempotency records: shared by counting and releasing."""

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.metering.errors import IdempotencyKeyReused
from brskills_server.metering.idempotency_record import RECORD_SECONDS, IdempotencyRecord, IdempotentRequest
from brskills_server.metering.ports import CallStore

TRIES = 100  # each time another worker has changed the record in between


class TooManyChanges(StoreUnavailable):
    """Other workers changed a record before each try."""


def read_record(store: CallStore, request: IdempotentRequest, now: int) -> IdempotencyRecord:
    """Return the record of a request, an empty one if there is none. Raise ``IdempotencyKeyReused``."""
    record = store.read_idempotency_record(request.id, now)
    if record is None:
        return IdempotencyRecord(request.fingerprint, 0, 0, now + RECORD_SECONDS)
    if record.fingerprint != request.fingerprint:
        raise IdempotencyKeyReused
    return record
