"""The skill ``look_up_bank``: its declaration, which the entry point names, and its functions."""

import csv
from importlib.resources import files
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from brskills_server.skills.custom import CUSTOM, endpoints_of
from brskills_server.skills.errors import InvalidRequest
from brskills_server.skills.issues import FieldIssue
from brskills_server.skills.skill import Call, Skill, Texts
from brskills_server.skills.validation import check_request


class BankRequest(BaseModel):
    """De que banco é um código."""

    model_config = ConfigDict(extra="forbid")

    codigo: str = Field(
        pattern=r"^([0-9]{3}|[0-9]{8})$",
        description="Código COMPE (3 dígitos) ou ISPB (8 dígitos), com os zeros à esquerda.",
        examples=["341"],
    )


class Bank(BaseModel):
    """Um banco, com os seus códigos."""

    compe: str = Field(description="Código de compensação, 3 dígitos.", examples=["341"])
    ispb: str = Field(description="Identificador no sistema de pagamentos, 8 dígitos.", examples=["60701190"])
    nome: str = Field(examples=["Itaú Unibanco S.A."])


def _read() -> dict[str, Bank]:
    """Return the banks by each of their codes."""
    with (files(__package__) / "banks.csv").open(encoding="utf-8") as table:
        banks = [
            Bank(compe=row["compe"], ispb=row["ispb"], nome=row["name"]) for row in csv.DictReader(table)
        ]
    return {code: bank for bank in banks for code in (bank.compe, bank.ispb)}


_UNKNOWN = {
    "pt": "Nenhum banco desta tabela tem este código; confira a digitação.",
    "en": "No bank of this table has this code; check the typing.",
}
_BANKS = _read()  # once, when the service starts


def _prepare(content: dict[str, Any]) -> Bank:
    """Return the requested bank. An issue raised here is answered with 422 and not counted."""
    request = check_request(BankRequest, content)
    if request.codigo not in _BANKS:
        raise InvalidRequest(FieldIssue("codigo", "unknown_bank", _UNKNOWN))
    return _BANKS[request.codigo]


def _answer(bank: Bank, _call: Call) -> Bank:
    return bank


LOOK_UP_BANK = Skill(
    name="look_up_bank",
    scope=CUSTOM,
    texts=Texts(
        title="Identificar um banco",
        purpose="Diz de que banco é um código COMPE ou ISPB, e o outro código dele.",
        use="quando só se tem o número do banco, ou quando um sistema pede o outro código.",
        avoid="para agências e contas, nem para procurar por nome.",
        notes="A tabela tem os bancos mais conhecidos, não todos. Conta uma chamada do mês.",
        english="Look up a Brazilian bank by its COMPE or ISPB code.",
        guide="""    curl -s {base}/api/v1/skills/custom/look_up_bank -H "X-API-Key: {key}" -H 'Content-Type: application/json' \\
      -d '{"codigo": "341"}'

`codigo` is a COMPE code of 3 digits or an ISPB code of 8, as text. `unknown_bank` means that the table lacks the code; the bank may exist.""",
    ),
    request=BankRequest,
    result=Bank,
    prepare=_prepare,
    answer=_answer,
    endpoints=endpoints_of("look_up_bank", {"compe": {"codigo": "341"}, "ispb": {"codigo": "60701190"}}),
    example={"compe": "341", "ispb": "60701190", "nome": "Itaú Unibanco S.A."},
    seconds=1,
)
