"""The providers: one module each, named by the provider's id and loaded when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from brskills_server.registry.providers.provider import Provider

__all__ = [
    "COPY_ID",
    "MOST_PAID_PER_DAY",
    "PAID_IDS",
    "PROVIDER_IDS",
    "REMOTE_IDS",
    "get_paid_provider",
    "get_provider",
]

REMOTE_IDS = ("opencnpj", "brasilapi", "minhareceita", "cnpja", "cnpjws", "receitaws")
"""Those that are asked over HTTP."""

PAID_IDS = ("cnpja", "cnpjws")
"""Those that have a paid address too."""

MOST_PAID_PER_DAY = 86_399
"""The highest limit of paid calls: they are counted by the seconds of a day (``brskills_server.registry.provider_state``)."""

COPY_ID = "receita"
"""Our own copy of the register, which has no address."""

PROVIDER_IDS = (COPY_ID, *REMOTE_IDS)


def get_provider(provider_id: str) -> Provider:
    """The provider with an id; raises ``KeyError`` for an unknown one."""
    if provider_id not in PROVIDER_IDS:
        raise KeyError(provider_id)
    provider: Provider = import_module(f"brskills_server.registry.providers.{provider_id}").PROVIDER
    return provider


def get_paid_provider(provider_id: str) -> Provider:
    """The paid address of the provider with an id; raises ``KeyError`` for one that has none."""
    if provider_id not in PAID_IDS:
        raise KeyError(provider_id)
    paid: Provider = import_module(f"brskills_server.registry.providers.{provider_id}").PAID
    return paid
