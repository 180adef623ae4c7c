"""How the registry writes an instant.

>>> iso_instant(1_795_000_000.9)
'2026-11-18T11:06:40Z'
"""

from datetime import UTC, datetime

__all__ = ["iso_instant"]


def iso_instant(seconds: float) -> str:
    """Epoch seconds as an ISO instant (UTC), without their fraction."""
    return datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
