"""The national company registry (CNPJ): one record, whichever provider answers.

>>> from registry import parse_cnpj
>>> parse_cnpj("33.000.167/0001-01")
'33000167000101'

``build_registry`` makes a ``Registry`` over HTTP providers and a ``Store``; its ``look_up``, for any thread,
gives an ``Answer`` or raises a ``RegistryError``. The package knows neither AWS nor the environment, and
logs nothing: a record holds people's names.

Names are loaded when they are first used: importing the package, or ``registry.providers`` for the ids, loads
nothing else of it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from registry.answer import Answer
    from registry.answered import Company
    from registry.brazilian_day import day_of
    from registry.demand import Demand
    from registry.errors import CompanyNotFound, InvalidCnpj, RegistryError, SourcesUnavailable
    from registry.health import ProviderHealth
    from registry.number import parse_cnpj
    from registry.registry import Registry, build_registry
    from registry.sandbox import is_sandbox
    from registry.store import Store, StoreFault

__all__ = [
    "Answer",
    "Company",
    "CompanyNotFound",
    "Demand",
    "InvalidCnpj",
    "ProviderHealth",
    "Registry",
    "RegistryError",
    "SourcesUnavailable",
    "Store",
    "StoreFault",
    "build_registry",
    "day_of",
    "is_sandbox",
    "parse_cnpj",
]

_MODULES = {
    "Answer": "answer",
    "Company": "answered",
    "CompanyNotFound": "errors",
    "Demand": "demand",
    "InvalidCnpj": "errors",
    "ProviderHealth": "health",
    "Registry": "registry",
    "RegistryError": "errors",
    "SourcesUnavailable": "errors",
    "Store": "store",
    "StoreFault": "store",
    "build_registry": "registry",
    "day_of": "brazilian_day",
    "is_sandbox": "sandbox",
    "parse_cnpj": "number",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"registry.{_MODULES[name]}"), name)
