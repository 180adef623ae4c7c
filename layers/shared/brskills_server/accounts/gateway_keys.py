"""Gateway keys that belong to one account, and the port to the gateway that keeps them."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class GatewayKey:
    """A key created for an account on a plan; ``created_at``: Unix seconds.

    ``works``: it is enabled and in its plan's usage plan.
    """

    id: str
    plan: str
    account: str
    created_at: float
    works: bool


class GatewayKeys(Protocol):
    """The gateway's control plane. Every method may raise ``GatewayUnavailable``."""

    def list(self) -> Collection[GatewayKey]:
        """Return every key that :meth:`create` created for this deployment, complete or not."""

    def create(self, plan: str, account: str) -> None:
        """Create an account's key and put it into the plan; a failure may leave it without a plan."""

    def delete(self, key: str) -> None:
        """Delete a key by its id; a missing key is no failure."""
