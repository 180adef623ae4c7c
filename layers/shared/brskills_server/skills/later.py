"""A model by its place, for the declarations of skills that are called without it.

Pydantic and some models take as long to load as a third of all else that a function needs. Where a table of
fields checks a request and its answer is plain data, only who describes the skill reads its models.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pydantic import BaseModel

__all__ = ["Later"]


class Later(NamedTuple):
    """The model ``name`` of ``module``."""

    module: str
    name: str

    def load(self) -> type[BaseModel]:
        """The model."""
        model: type[BaseModel] = getattr(import_module(self.module), self.name)
        return model
