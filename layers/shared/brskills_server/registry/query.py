"""The query of a look-up: which company, how fresh an answer, and on which terms sources are called."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from brskills_server.registry.freshness import Freshness


@dataclass(frozen=True, slots=True)
class Payer:
    """An account for which paid addresses may be called. Payers with the same ``id`` are equal.

    ``claim_share``: take one call of the account's share of the day; return ``False`` where it is used up. It
    may block, and raise ``StoreFault``.
    """

    id: str
    claim_share: Callable[[], bool] = field(compare=False)


@dataclass(frozen=True, slots=True)
class Repetition:
    """A request that was counted before.

    ``since``: when it was first counted (epoch seconds). ``is_pending``: the first attempt may still be at
    work. ``may_ask``: return whether sources may be called for one more company; it may block.
    """

    since: int
    is_pending: bool
    may_ask: Callable[[], bool] = field(compare=False)


_ANY = Freshness()


def _allow() -> None:
    """Do nothing."""


@dataclass(frozen=True, slots=True)
class Query:
    """A canonical number (see ``number.parse_cnpj``) and the terms of its look-up.

    ``payer``: without it no paid address is called. ``repetition``: of a request that was counted before.
    ``before_asking``: called before providers are; what it raises ends the look-up.
    """

    cnpj: str
    freshness: Freshness = _ANY
    payer: Payer | None = None
    repetition: Repetition | None = None
    before_asking: Callable[[], None] = field(default=_allow, compare=False)
