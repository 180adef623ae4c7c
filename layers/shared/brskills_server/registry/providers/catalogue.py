"""Every provider, by its id."""

from types import MappingProxyType

from brskills_server.registry.providers import cnpja, cnpjws, minhareceita, opencnpj, receitaws
from brskills_server.registry.snapshot import source

_PROVIDERS = (
    source.PROVIDER,
    opencnpj.PROVIDER,
    minhareceita.BRASILAPI,
    minhareceita.PROVIDER,
    cnpja.PROVIDER,
    cnpjws.PROVIDER,
    receitaws.PROVIDER,
)

PROVIDERS = MappingProxyType({provider.id: provider for provider in _PROVIDERS})
PAID_PROVIDERS = MappingProxyType({provider.id: provider for provider in (cnpja.PAID, cnpjws.PAID)})
