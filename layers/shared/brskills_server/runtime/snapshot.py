"""The register's snapshot that ``REGISTRY_COPY`` names; functions without look-ups do not load its rows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from brskills_server.registry.providers import SNAPSHOT_ID
from brskills_server.registry.search.register_search import RegisterSearch
from brskills_server.registry.snapshot.register_snapshot import RegisterSnapshot
from brskills_server.registry.store import StoreFault
from brskills_server.runtime.settings import Settings

if TYPE_CHECKING:  # it loads the rows
    from brskills_server.registry.snapshot.history import RegisterHistory


def open_snapshot(settings: Settings) -> RegisterSnapshot | None:
    """Return the snapshot, if a provider reads it. Raise ``ValueError`` for a wrong ``REGISTRY_COPY``."""
    place = settings.registry_copy
    if not place or SNAPSHOT_ID not in settings.registry_providers:
        return None
    if place != "store":
        from brskills_server.adapters.snapshots.folder import FolderMonths
        from brskills_server.adapters.snapshots.stored import StoredSnapshot

        return StoredSnapshot(FolderMonths(Path(place)))
    match settings.store.partition(":")[0]:
        case "dynamodb":
            from brskills_server.adapters.snapshots import dynamodb

            return dynamodb.open_snapshot(settings)
        case "postgresql":
            from brskills_server.adapters.snapshots import postgresql

            return postgresql.open_snapshot(settings)
    raise ValueError("REGISTRY_COPY takes a folder, and store only where STORE is postgresql://… or dynamodb")


def snapshot_check(settings: Settings) -> Callable[[], bool]:
    """Return a function that says whether there is a snapshot now.

    One in DynamoDB, which not every function may read, is taken to be there.
    """
    if settings.registry_copy == "store" and settings.store.startswith("dynamodb"):
        return lambda: SNAPSHOT_ID in settings.registry_providers
    snapshot = open_snapshot(settings)

    def has_snapshot() -> bool:
        try:
            return snapshot is not None and snapshot.edition() is not None
        except StoreFault:
            return True  # it is there and does not answer

    return has_snapshot


def open_history(settings: Settings) -> RegisterHistory:
    """Return the history beside the snapshot that :func:`open_snapshot` returned."""
    if settings.registry_copy != "store":
        from brskills_server.adapters.snapshots.folder_history import FolderHistory

        return FolderHistory(Path(settings.registry_copy))
    if settings.store.startswith("dynamodb"):
        from brskills_server.adapters.snapshots import dynamodb_history

        return dynamodb_history.open_history(settings)
    from brskills_server.adapters.snapshots import postgresql

    return postgresql.open_history(settings)


def open_search(settings: Settings) -> RegisterSearch | None:
    """Return the search in the snapshot, if a provider reads it and its place has an index."""
    place = settings.registry_copy
    if not place or SNAPSHOT_ID not in settings.registry_providers:
        return None
    if place != "store":
        from brskills_server.adapters.search.folder import FolderSearch

        return FolderSearch(Path(place))
    if settings.store.startswith("dynamodb"):
        from brskills_server.adapters.search import dynamodb

        return dynamodb.open_search(settings)
    from brskills_server.adapters.search import postgresql

    return postgresql.open_search(settings)
