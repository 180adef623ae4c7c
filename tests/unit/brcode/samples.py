"""Codes from public sources, and builders of codes with a valid checksum."""

import json
from binascii import crc_hqx
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[2] / "data"
VECTORS: list[dict[str, Any]] = [
    vector
    for name in ("vectors", "edges")
    for vector in json.loads((DATA / f"brcode_{name}.json").read_text())
]

PARAMETERS = {
    "chave": "key",
    "valor": "amount",
    "nome_recebedor": "merchant_name",
    "cidade": "merchant_city",
    "txid": "txid",
    "info_adicional": "description",
    "cep": "postal_code",
    "mcc": "mcc",
    "url": "location",
    "url_rec": "recurrence_location",
    "fss": "withdrawal_ispb",
}

CPF = "52998224725"
CNPJ = "12ABC34501DE35"
EVP = "123e4567-e12b-12d1-a456-426655440000"
PLACE = "pix.example.com/qr/v2/8b3da2f39a4140d1a91abd93113bd441"
SHOP = {"merchant_name": "Fulano de Tal", "merchant_city": "BRASILIA"}

_STATIC = {
    "00": "01",
    "26": {"00": "br.gov.bcb.pix", "01": EVP},
    "52": "0000",
    "53": "986",
    "58": "BR",
    "59": "Fulano de Tal",
    "60": "BRASILIA",
    "62": {"05": "***"},
}


def tlv(objects: dict[str, Any]) -> str:
    """Return the text of objects by id; templates are dictionaries."""
    parts = []
    for tag, value in objects.items():
        text = tlv(value) if isinstance(value, dict) else value
        parts.append(f"{tag[:2]}{len(text):02d}{text}")  # a key such as "59b" writes id 59 once more
    return "".join(parts)


def signed(body: str) -> str:
    """Return ``body`` with its checksum."""
    body += "6304"
    return f"{body}{crc_hqx(body.encode('utf-8', 'replace'), 0xFFFF):04X}"


def code(**changes: Any) -> str:
    """Return a static code with objects replaced (``o54="1.00"``) or left out (``o62=None``)."""
    objects = {**_STATIC, **{tag[1:]: value for tag, value in changes.items()}}
    ordered = sorted(tag for tag, value in objects.items() if value is not None)
    return signed(tlv({tag: objects[tag] for tag in ordered}))


def pix(**changes: str | None) -> dict[str, str]:
    """Return a Pix template with a key, with objects replaced or left out."""
    objects: dict[str, str | None] = {"00": "br.gov.bcb.pix", "01": EVP}
    objects |= {tag[1:]: value for tag, value in changes.items()}
    return {tag: value for tag, value in objects.items() if value is not None}
