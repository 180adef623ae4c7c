"""Every provider, by its id."""

from types import MappingProxyType

from brskills_server.registry.providers import (
    brasilapi,
    cnpja,
    cnpjws,
    minhareceita,
    opencnpj,
    receita,
    receitaws,
)

_MODULES = (receita, opencnpj, brasilapi, minhareceita, cnpja, cnpjws, receitaws)

PROVIDERS = MappingProxyType({module.PROVIDER.id: module.PROVIDER for module in _MODULES})
PAID_PROVIDERS = MappingProxyType({module.PAID.id: module.PAID for module in (cnpja, cnpjws)})
