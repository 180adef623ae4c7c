"""A company's history in the client and in the command."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from brskills import Change, UnexpectedAnswer
from brskills.company import Address, Partner, RegistrationStatus
from brskills_server.registry.sandbox import ABSENT, SANDBOX_NUMBERS, UNAVAILABLE
from brskills_server.registry.snapshot.sandbox_history import sandbox_history
from tests.client.answering import client, json_answer
from tests.for_each import for_each

KNOWN = sorted(SANDBOX_NUMBERS - {ABSENT, UNAVAILABLE})


def test_values_have_the_types_of_the_record() -> None:
    found = client(json_answer(sandbox_history("SANDBOX1000170"))).history("SANDBOX1000170")
    assert (found.desde, found.data_base) == (date(2025, 9, 13), date(2026, 10, 15))
    assert found.mudancas[0] == Change(
        date(2026, 9, 12), "capital_social", Decimal("100000.00"), Decimal("250000.00")
    )
    kinds = {change.campo: change.para for change in found.mudancas}
    assert isinstance(kinds["endereco"], Address)
    assert isinstance(kinds["socios"], tuple)
    assert isinstance(kinds["socios"][0], Partner)
    closed = client(json_answer(sandbox_history("SANDBOX2000114"))).history("SANDBOX2000114")
    assert isinstance(closed.mudancas[0].para, RegistrationStatus)


def test_a_field_that_this_release_does_not_know_is_text() -> None:
    change = {"data_base": "2026-09-12", "campo": "lema", "de": None, "para": "X"}
    answer = sandbox_history("SANDBOX1000170") | {"mudancas": [change]}
    assert client(json_answer(answer)).history("x").mudancas == (
        Change(date(2026, 9, 12), "lema", None, "X"),
    )


@for_each("member", [{"campo": 1}, {"data_base": "x"}, {"para": 7}])
def test_another_form_is_an_unexpected_answer(member: dict[str, Any]) -> None:
    change = {"data_base": "2026-09-12", "campo": "razao_social", "de": None, "para": "X"} | member
    answer = sandbox_history("SANDBOX1000170") | {"mudancas": [change]}
    with pytest.raises(UnexpectedAnswer):
        client(json_answer(answer)).history("x")


@pytest.mark.parametrize("number", KNOWN)
def test_a_line_for_each_change(ended: Any, number: str) -> None:
    history = sandbox_history(number)
    code, out, _ = ended("historico", number, answer=json_answer(history))
    lines = out.splitlines()
    assert (code, lines[:2]) == (0, [f"cnpj: {number}", f"desde: {history['desde']}"])
    assert [line.partition(":")[0] for line in lines[3:]] == [
        f"{change['data_base']} {change['campo']}" for change in history["mudancas"]
    ]
    if number == "SANDBOX1000170":
        assert "2026-09-12 socios: - PEDRO DE EXEMPLO; + EXEMPLO HOLDINGS LLC" in lines
        assert "2026-09-12 capital_social: 100000.00 → 250000.00" in lines


def test_without_changes_it_says_so(ended: Any) -> None:
    answer = json_answer(sandbox_history("SANDBOX1000170") | {"mudancas": []})
    assert "sem mudanças desde 2025-09-13" in ended("historico", "x", "--lang", "pt", answer=answer)[2]
    assert '"mudancas": []' in ended("historico", "x", "--json", answer=answer)[1]
