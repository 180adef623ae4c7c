"""The providers: one module each, named by the provider's id and loaded when it is asked for."""

from importlib import import_module

from registry.providers.provider import DumpDate, Provider

__all__ = ["COPY_ID", "PROVIDER_IDS", "REMOTE_IDS", "DumpDate", "Provider", "get_provider"]

REMOTE_IDS = ("opencnpj", "brasilapi", "minhareceita", "cnpja", "cnpjws", "receitaws")
"""Those that are asked over HTTP."""

COPY_ID = "receita"
"""Our own copy of the register, which has no address."""

PROVIDER_IDS = (COPY_ID, *REMOTE_IDS)


def get_provider(provider_id: str) -> Provider:
    """The provider with an id; raises ``KeyError`` for an unknown one."""
    if provider_id not in PROVIDER_IDS:
        raise KeyError(provider_id)
    provider: Provider = import_module(f"registry.providers.{provider_id}").PROVIDER
    return provider
