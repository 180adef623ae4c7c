"""Who pays for paid addresses. The registry knows no accounts, only who may pay, and a share to claim."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

__all__ = ["Payer", "Payment"]


@dataclass(frozen=True, slots=True)
class Payer:
    """A caller for whom paid addresses may be asked. Payers with the same ``id`` are equal.

    ``claim_share``: take one call of the payer's share of the day; ``False`` where the share is used up. It
    may block, and raise ``StoreFault``.
    """

    id: str
    claim_share: Callable[[], bool] = field(compare=False)


@dataclass(slots=True)
class Payment:
    """The paid side of one look-up: ``answered`` once a paid address has answered it."""

    payer: Payer
    answered: bool = False
