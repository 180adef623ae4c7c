"""Phrases of several tasks. A denial is a phrase too, for a text is compared and not understood."""

from __future__ import annotations

from lab.agents.rules import avoids, mentions

ACTIVE = (
    mentions("that the company is active", "ativa"),
    avoids("that the company is not active", "não está ativa", "inativa", "baixada", "suspensa", "inapta"),
)
CANNOT = (
    "não consigo", "não posso", "não tenho como", "não há como", "não é possível", "não dá para",
    "nenhuma ferramenta",
)  # fmt: skip
