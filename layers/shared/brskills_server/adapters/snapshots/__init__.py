"""Adapters of the register's snapshot (``registry.snapshot``), one for each place it is stored in."""
