"""Large companies, up to the largest that a source may answer: 2 MB with lists of 5,000."""

import json
from functools import lru_cache
from typing import Any

from brskills_server.registry.providers.client import MAX_BYTES
from taxid import cnpj as numbers
from tests.register.copy_file import rows_of
from tests.simulator.companies import company
from tests.simulator.dialects import DIALECTS
from tests.simulator.replies import Fault, Reply

RECORDS = {"large": 100_000, "largest": MAX_BYTES}
"""Bytes of a record: as the largest companies have, and as is accepted."""

_LONGEST_LIST, _LEAST_PARTNER = 5_000, 360  # entries, and bytes of one
_NUMBER = "@@@@@@@@@@@@@@"


def number(place: int) -> str:
    """Return a CNPJ with the right check digits, another for each place."""
    first = f"{50_000_000 + place:08d}0001"
    return next(found for last in range(100) if numbers.is_valid(found := f"{first}{last:02d}"))


def record_of(size: int) -> Fault:
    """Return OpenCNPJ's reply with a record of so many bytes."""
    return lambda _, asked: Reply(200, _body(size).replace(_NUMBER.encode(), asked.encode()))


def largest_rows() -> dict[str, str]:
    """Return the rows of 101 companies whose names are as long as the register has them, by their keys."""
    record = company("33000167000101") | {"razao_social": "Ç" * 150, "nome_fantasia": "Ç" * 55}
    found: dict[str, str] = {}
    for place in range(101):
        found |= rows_of(record | {"cnpj": number(place)})
    return found


@lru_cache(maxsize=len(RECORDS))
def _body(size: int) -> bytes:
    content: dict[str, Any] = DIALECTS["opencnpj"](company("33000167000101"))
    entries = min(_LONGEST_LIST, size // _LEAST_PARTNER)
    content |= {"cnpj": _NUMBER, "cnaes_secundarios": ["6201501"] * entries, "QSA": [_partner("")] * entries}
    spare = size - len(json.dumps(content, ensure_ascii=False).encode())
    content["QSA"] = [_partner("Ç" * (spare // entries // 2))] * entries
    return json.dumps(content, ensure_ascii=False).encode()


def _partner(name: str) -> dict[str, Any]:
    return {
        "nome_socio": f"A{name}",
        "identificador_socio": "2",
        "cnpj_cpf_socio": "***123456**",
        "qualificacao_socio": "Sócio-Administrador",
        "data_entrada_sociedade": "2020-01-01",
        "faixa_etaria": "41 a 50 anos",
        "pais": {"codigo": "105", "descricao": "BRASIL"},
        "nome_representante": "B",
        "representante_legal": "***123456**",
        "qualificacao_representante": {"codigo": "05", "descricao": "Administrador"},
    }
