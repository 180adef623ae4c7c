"""A request held against its model: every fault of its shape at once, named by field."""

from __future__ import annotations

from typing import Any

import pytest

from brskills_server.skills.account.keys import RotateRequest
from brskills_server.skills.cnpj.models import CompanyRequest
from brskills_server.skills.errors import InvalidRequest
from brskills_server.skills.payee.models import PayeeRequest
from brskills_server.skills.validation import check_request, is_whole_number


def faults(model: type, content: dict[str, Any]) -> dict[str, str]:
    with pytest.raises(InvalidRequest) as refusal:
        check_request(model, content)
    assert all(fault.detail("pt") and fault.detail("en") for fault in refusal.value.fields)
    return {fault.field: fault.code for fault in refusal.value.fields}


def test_null_is_absent() -> None:
    assert check_request(RotateRequest, {"sobreposicao_segundos": None}).sobreposicao_segundos == 0
    assert faults(CompanyRequest, {"cnpj": None, "x": None}) == {"cnpj": "required", "x": "unknown_field"}


def test_a_field_of_whole_numbers_takes_no_text() -> None:
    assert is_whole_number(CompanyRequest, "idade_maxima")
    assert is_whole_number(RotateRequest, "sobreposicao_segundos")
    assert not is_whole_number(CompanyRequest, "cnpj")
    assert not is_whole_number(CompanyRequest, "x")


def test_all_faults_of_shape_are_found_at_once() -> None:
    assert faults(CompanyRequest, {"cnpj": [], "idade_maxima": "60", "x": 1}) == {
        "cnpj": "invalid_type",
        "idade_maxima": "invalid_type",
        "x": "unknown_field",
    }
    assert faults(CompanyRequest, {}) == {"cnpj": "required"}
    assert faults(CompanyRequest, {"cnpj": True, "idade_maxima": -1}) == {
        "cnpj": "invalid_type",
        "idade_maxima": "out_of_range",
    }


def test_a_range_is_named_also_where_the_field_may_be_absent() -> None:
    with pytest.raises(InvalidRequest) as refusal:
        check_request(CompanyRequest, {"cnpj": "x", "idade_maxima": -1})
    assert "0…1000000000" in refusal.value.fields[0].detail("en")


@pytest.mark.parametrize("seconds", [-1, 604_801])
def test_a_range_is_named(seconds: int) -> None:
    with pytest.raises(InvalidRequest) as refusal:
        check_request(RotateRequest, {"sobreposicao_segundos": seconds})
    assert "0…604800" in refusal.value.fields[0].detail("en")


def test_a_choice_is_named_alike_in_every_language() -> None:
    with pytest.raises(InvalidRequest) as refusal:
        check_request(PayeeRequest, {"chave": "x", "tipo_chave": "x"})
    for language in ("pt", "en"):
        choices = "'cpf', 'cnpj', 'email', 'telefone', 'aleatoria'."
        assert refusal.value.fields[0].detail(language).endswith(choices)
