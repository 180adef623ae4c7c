"""The adapters that ``STORE`` and ``REGISTRY_COPY`` name; only those are loaded, or even installed."""

from pathlib import Path

from brskills_server.adapters.stores import Stores
from brskills_server.registry.providers import SNAPSHOT_ID
from brskills_server.registry.snapshot.register_snapshot import RegisterSnapshot
from brskills_server.runtime.setting_types import STORE_FORMS
from brskills_server.runtime.settings import Settings


def open_stores(settings: Settings) -> Stores:
    """Return the stores. Raise ``ValueError`` for a wrong ``STORE``."""
    match settings.store.partition(":")[0]:
        case "dynamodb":
            from brskills_server.adapters.dynamodb import access

            return access.open_stores(settings)
        case "sqlite":
            from brskills_server.adapters import sqlite

            return sqlite.open_stores(settings)
        case "postgresql":
            from brskills_server.adapters import postgresql

            return postgresql.open_stores(settings)
        case "memory":
            from brskills_server.adapters import memory

            return memory.open_stores(settings)
    raise ValueError(f"STORE {STORE_FORMS}")


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
