"""Versions of the Model Context Protocol that ``/mcp`` accepts, also listed in the OpenAPI document."""

VERSIONS = ("2026-07-28",)
"""Versions whose requests carry everything in an envelope."""

HANDSHAKE_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""Versions that begin with ``initialize``."""
