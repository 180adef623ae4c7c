"""Checking a request against its model: every issue of its shape at once, by field."""

from typing import Any

import pytest

from brskills_server.skills.account.keys import RotateRequest
from brskills_server.skills.cnpj.models import CompanyRequest
from brskills_server.skills.errors import InvalidRequest
from brskills_server.skills.payee.models import PayeeRequest
from brskills_server.skills.validation import check_request, is_whole_number


def issues(model: type, content: dict[str, Any]) -> dict[str, str]:
    with pytest.raises(InvalidRequest) as caught:
        check_request(model, content)
    assert all(issue.detail("pt") and issue.detail("en") for issue in caught.value.fields)
    return {issue.field: issue.code for issue in caught.value.fields}


def test_null_is_absent() -> None:
    assert check_request(RotateRequest, {"sobreposicao_segundos": None}).sobreposicao_segundos == 0
    assert issues(CompanyRequest, {"cnpj": None, "x": None}) == {"cnpj": "required", "x": "unknown_field"}


def test_a_field_of_whole_numbers_takes_no_text() -> None:
    assert is_whole_number(CompanyRequest, "idade_maxima")
    assert is_whole_number(RotateRequest, "sobreposicao_segundos")
    assert not is_whole_number(CompanyRequest, "cnpj")
    assert not is_whole_number(CompanyRequest, "x")


def test_all_issues_of_shape_are_returned_at_once() -> None:
    assert issues(CompanyRequest, {"cnpj": [], "idade_maxima": "60", "x": 1}) == {
        "cnpj": "invalid_type",
        "idade_maxima": "invalid_type",
        "x": "unknown_field",
    }
    assert issues(CompanyRequest, {}) == {"cnpj": "required"}
    assert issues(CompanyRequest, {"cnpj": True, "idade_maxima": -1}) == {
        "cnpj": "invalid_type",
        "idade_maxima": "out_of_range",
    }


@pytest.mark.parametrize(
    ("model", "content", "limits"),
    [
        (CompanyRequest, {"cnpj": "x", "idade_maxima": -1}, "0…1000000000"),
        (RotateRequest, {"sobreposicao_segundos": -1}, "0…604800"),
        (RotateRequest, {"sobreposicao_segundos": 604_801}, "0…604800"),
    ],
)
def test_a_range_is_named(model: type, content: dict[str, Any], limits: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        check_request(model, content)
    assert limits in caught.value.fields[0].detail("en")


def test_a_choice_is_named_alike_in_every_language() -> None:
    with pytest.raises(InvalidRequest) as caught:
        check_request(PayeeRequest, {"chave": "x", "tipo_chave": "x"})
    for language in ("pt", "en"):
        choices = "'cpf', 'cnpj', 'email', 'telefone', 'aleatoria'."
        assert caught.value.fields[0].detail(language).endswith(choices)
