"""Adapters of the search in the register's snapshot (``registry.search``)."""
