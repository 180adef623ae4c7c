"""The national company registry (CNPJ): one record, whichever provider answers.

>>> parse_cnpj("33.000.167/0001-01")
'33000167000101'

``build_registry`` makes a ``Registry`` over HTTP providers and a ``Store``; its ``look_up`` gives an
``Answer`` or raises a ``RegistryError``. The package knows neither AWS nor the environment, and logs
nothing: a record holds people's names.
"""

from registry.answer import Answer
from registry.build import build_registry
from registry.company import Company
from registry.errors import CompanyNotFound, InvalidCnpj, RegistryError, SourcesUnavailable
from registry.lookup import Registry
from registry.number import parse_cnpj
from registry.sandbox import is_sandbox
from registry.sources import SourceHealth
from registry.store import Store, StoreFault

__all__ = [
    "Answer",
    "Company",
    "CompanyNotFound",
    "InvalidCnpj",
    "Registry",
    "RegistryError",
    "SourceHealth",
    "SourcesUnavailable",
    "Store",
    "StoreFault",
    "build_registry",
    "is_sandbox",
    "parse_cnpj",
]
