"""The providers, one module each, by their ids."""

from registry.providers import brasilapi, cnpja, cnpjws, minhareceita, opencnpj, receitaws
from registry.providers.base import Provider

__all__ = ["PROVIDERS", "Provider"]

PROVIDERS: dict[str, Provider] = {
    module.PROVIDER.id: module.PROVIDER
    for module in (opencnpj, brasilapi, minhareceita, cnpja, cnpjws, receitaws)
}
