"""The mix that is measured: five key types, with and without an amount, with and without accents."""

from typing import NamedTuple

__all__ = ["MIX", "Charge"]


class Charge(NamedTuple):
    """One charge in the spellings that the contenders take."""

    key: str  # canonical
    masked: str  # as people type it, and as pybrcode demands it
    amount: str | None
    name: str
    city: str
    plain_name: str  # for pix-utils, which fails on accents
    plain_city: str


_KEYS = [
    ("52998224725", "529.982.247-25"),
    ("11222333000181", "11.222.333/0001-81"),
    ("fulano.de.tal@exemplo.com.br", "fulano.de.tal@exemplo.com.br"),
    ("+5511987654321", "(11)98765-4321"),
    ("123e4567-e12b-12d1-a456-426655440000", "123e4567-e12b-12d1-a456-426655440000"),
]
MIX = [
    Charge(key, masked, amount, name, city, "Padaria Sao Joao", "Sao Paulo")
    for key, masked in _KEYS
    for amount in ("49.90", None)
    for name, city in (("Padaria Sao Joao", "Sao Paulo"), ("Padaria São João", "São Paulo"))
]
TXID = "PEDIDO42"
