"""Empty stores for schedules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from brskills_server.adapters import postgresql, sqlite
from brskills_server.adapters.dynamodb.access import DynamoAccess
from brskills_server.adapters.stores import AccessStore, Stores
from tests.services.gateway import store as embedded_store
from tests.services.postgres import postgres
from tests.services.store import Destination, in_memory
from tests.services.tables import new_client, new_table


@contextmanager
def _memory() -> Iterator[AccessStore]:
    yield in_memory()


@contextmanager
def _sqlite() -> Iterator[AccessStore]:
    with TemporaryDirectory(prefix="brskills-counting-") as folder:
        yield _prepared(sqlite.open_stores(Destination(f"sqlite:///{Path(folder)}/brskills.db")))


@contextmanager
def _dynamodb() -> Iterator[AccessStore]:
    with embedded_store() as endpoint:
        client = new_client(endpoint)
        yield DynamoAccess(client, new_table(client, "Access"), new_table(client, "Watches"))


@contextmanager
def _postgresql() -> Iterator[AccessStore]:
    with postgres() as server:
        yield _prepared(postgresql.open_stores(Destination(server.url)))


def _prepared(stores: Stores) -> AccessStore:
    stores.open_maintenance().prepare()
    return stores.access


STORES: dict[str, Callable[[], AbstractContextManager[AccessStore]]] = {
    "memory": _memory,
    "sqlite": _sqlite,
    "dynamodb": _dynamodb,
    "postgresql": _postgresql,
}
