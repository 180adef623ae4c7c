"""Exact capitals for records whose source rounds.

Minha Receita and BrasilAPI hold the capital as a 32-bit float. An exact figure of another source that gives
the same float when it is rounded is the original figure.
"""

import struct
from collections.abc import Iterable

from brskills_server.registry.company import Record


def with_exact_capital(record: Record, others: Iterable[Record]) -> Record:
    """Return the record with the exact capital of one of ``others``, where its own is approximate."""
    if record.capital_social_precisao != "aproximada" or record.capital_social is None:
        return record
    wanted = _single(record.capital_social)
    for other in others:
        exact = other.capital_social
        if exact and other.capital_social_precisao == "exata" and _single(exact) == wanted:
            return record.model_copy(update={"capital_social": exact, "capital_social_precisao": "exata"})
    return record


def _single(amount: str) -> bytes:
    return struct.pack("f", float(amount))
