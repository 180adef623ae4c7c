"""The register's snapshot that ``REGISTRY_COPY`` names; functions without look-ups do not load its rows."""

from pathlib import Path

from brskills_server.registry.providers import SNAPSHOT_ID
from brskills_server.registry.search.register_search import RegisterSearch
from brskills_server.registry.snapshot.register_snapshot import RegisterSnapshot
from brskills_server.runtime.settings import Settings


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


def open_search(settings: Settings) -> RegisterSearch | None:
    """Return the search in the snapshot, if a provider reads it and its place has an index."""
    place = settings.registry_copy
    if not place or SNAPSHOT_ID not in settings.registry_providers:
        return None
    if place != "store":
        from brskills_server.adapters.search.folder import FolderSearch

        return FolderSearch(Path(place))
    if settings.store.startswith("postgresql"):
        from brskills_server.adapters.search import postgresql

        return postgresql.open_search(settings)
    return None
