"""Stores for tests, by their address."""

from typing import NamedTuple

from brskills_server.adapters import memory
from brskills_server.adapters.stores import AccessStore


class Destination(NamedTuple):
    """Where to open a store: what an adapter reads of the settings."""

    store: str
    store_seconds: int = 5
    access_table: str = ""
    watches_table: str = ""
    companies_table: str = ""


def in_memory() -> AccessStore:
    """An empty store of this process."""
    return memory.open_stores(Destination("memory")).access
