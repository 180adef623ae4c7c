"""The national company registry (CNPJ): one record, whichever provider answers.

>>> parse_cnpj("33.000.167/0001-01")
'33000167000101'

``build_registry`` makes a ``Registry`` over HTTP providers and a ``Store``; its ``look_up``, for any thread,
gives an ``Answer`` or raises a ``RegistryError``. The package knows neither AWS nor the environment, and
logs nothing: a record holds people's names.

The models and the look-up itself are loaded when they are first used: importing the package, or
``registry.providers`` for the ids, loads neither pydantic nor asyncio nor an HTTP client.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from registry.answer import Answer
from registry.brazilian_day import day_of
from registry.demand import Demand
from registry.errors import CompanyNotFound, InvalidCnpj, RegistryError, SourcesUnavailable
from registry.number import parse_cnpj
from registry.sandbox import is_sandbox
from registry.store import Store, StoreFault

if TYPE_CHECKING:
    from registry.answered import Company
    from registry.health import ProviderHealth
    from registry.registry import Registry, build_registry

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

_LOADED_ON_USE = {
    "Company": "registry.answered",
    "ProviderHealth": "registry.health",
    "Registry": "registry.registry",
    "build_registry": "registry.registry",
}


def __getattr__(name: str) -> Any:
    if name not in _LOADED_ON_USE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LOADED_ON_USE[name]), name)
