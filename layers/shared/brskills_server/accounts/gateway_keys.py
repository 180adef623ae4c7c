"""Gateway keys that belong to one account: the value, and the port to the gateway that keeps them."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol

__all__ = ["GatewayKey", "GatewayKeys"]


@dataclass(frozen=True, slots=True)
class GatewayKey:
    """A key made for an account on a plan; ``created_at`` in Unix seconds.

    ``works``: it is enabled and in its plan's usage plan.
    """

    id: str
    plan: str
    account: str
    created_at: float
    works: bool


class GatewayKeys(Protocol):
    """Every method may raise ``GatewayUnavailable``."""

    def list(self) -> Collection[GatewayKey]:
        """Every key that :meth:`create` made for this deployment, finished or not; no other key."""

    def create(self, plan: str, account: str) -> None:
        """Make an account's key and put it into the plan; a failure may leave it made but not put."""

    def delete(self, key: str) -> None:
        """Delete a key by its id; one that is gone already is not a failure."""
