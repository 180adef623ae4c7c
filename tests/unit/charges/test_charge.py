"""What a signed payload says of the payment: amounts, withdrawals, recurrences and their end."""

import json
from typing import Any

import pytest

from brskills_server.charges.charge import read_charge
from brskills_server.charges.signed_payload import Unreadable
from tests.for_each import for_each
from tests.services.psp import cob, cobv, rec
from tests.unit.brcode.samples import DATA

VECTORS = json.loads((DATA / "signed_charges.json").read_text("utf-8"))
CASH = {"valor": "50.00", "modalidadeAgente": "AGFSS", "prestadorDoServicoDeSaque": "12345678"}
SAQUE = {"saque": CASH}


@for_each("vector", VECTORS)
def test_the_manuals_charges(vector: dict[str, Any]) -> None:
    found = read_charge(vector["input"]).as_answer()
    expected = {name: value for name, value in vector["expect"].items() if name in found}
    terms = expected.pop("recorrencia", None)
    assert found | expected == found
    assert terms is None or terms.items() <= found["recorrencia"].items()
    assert "Fulano" not in json.dumps(found)


@for_each(
    ("value", "total", "cash"),
    [
        ({"original": "0.00", "retirada": {"saque": CASH | {"modalidadeAgente": "AGPSS"}}}, "50.00", "50.00"),
        ({"original": "0,00", "retirada": SAQUE | {"troco": None}}, "50.00", "50.00"),
        ({"original": 0, "retirada": {"saque": {"valor": 0, "modalidadeAlteracao": "1"}}}, "0.00", "0.00"),
        ({"original": "160", "retirada": {"troco": {"valor": 50, "modalidadeAgente": 1}}}, "210.00", "50.00"),
        ({"original": "0.00", "modalidadeAlteracao": 1}, "0.00", None),
        ({"original": "9.90", "retirada": {}}, "9.90", None),
        ({"original": "9.90", "retirada": {"saque": None, "troco": None}}, "9.90", None),
    ],
)  # fmt: skip
def test_the_payer_pays_the_cash_too(value: dict[str, Any], total: str, cash: str | None) -> None:
    found = read_charge(cob(valor=value))
    assert (found.amount, found.withdrawal and found.withdrawal.amount) == (total, cash)


@for_each(
    "payload",
    [
        cob(valor={"original": "0.00", "retirada": SAQUE | {"troco": CASH}}),
        cob(valor={"original": "10.00", "retirada": {"troco": {"modalidadeAgente": "AGTEC"}}}),
        cob(valor={"original": "10.00", "retirada": {"troco": {"valor": "-5.00"}}}),
        cob(valor={"original": "10.00", "retirada": {"troco": "5.00"}}),
        cob(valor={"original": "10.00", "retirada": {"outra": CASH}}),
        cob(valor={"original": "10.00", "retirada": "saque"}),
        cob(valor={"original": "0.00", "retirada": {"saque": CASH | {"valor": "0.00"}}}),
        cob(valor={"original": "0.00"}),
        cobv("2026-12-01", valor={"original": "100.00", "multa": "2.00"}),
        cobv("1/12/2026"),
    ],
)
def test_a_charge_that_leaves_open_what_is_paid_is_unreadable(payload: dict[str, Any]) -> None:
    with pytest.raises(Unreadable, match="conteudo_ilegivel"):
        read_charge(payload)


def test_a_recurrence_ends_with_its_last_day_in_sao_paulo() -> None:
    calendar = {"dataInicial": "2026-01-01", "periodicidade": "ANUAL"}
    ends = {
        last: read_charge(rec(calendario=calendar | {"dataFinal": last})).as_answer()["expira_em"]
        for last in ("2026-11-20", "9999-12-31", None)
    }
    assert ends == {"2026-11-20": "2026-11-21T03:00:00Z", "9999-12-31": None, None: None}
