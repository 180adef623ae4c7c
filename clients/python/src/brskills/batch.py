"""The answers to many requests in one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from brskills.errors import ProblemError, UnexpectedAnswer, problem
from brskills.reading import read

__all__ = ["Batch", "read_batch"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Batch(Generic[T]):
    """``resultados``: an answer or a problem for each item, in their order. ``contadas``: what they cost."""

    resultados: tuple[T | ProblemError, ...]
    contadas: int


def read_batch(kind: type[T], count: int, content: Any, headers: Mapping[str, str]) -> Batch[T]:
    """So many answers of a ``kind``; raises as ``read`` does, and ``KeyError``."""
    entries = content["resultados"]
    if [entry["indice"] for entry in entries] != list(range(count)):
        raise ValueError("an answer for each item, in their order, expected")
    return Batch(tuple(_entry(kind, entry, headers) for entry in entries), read(int, content["contadas"]))


def _entry(kind: type[T], entry: Mapping[str, Any], headers: Mapping[str, str]) -> T | ProblemError:
    if entry["status"] == 200:
        return read(kind, entry["resposta"])
    error = problem(entry["problema"], entry["status"], headers)
    if isinstance(error, UnexpectedAnswer):
        raise error
    return error
