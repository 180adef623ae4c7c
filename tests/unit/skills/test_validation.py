"""Checking a request against its model: every issue of its shape at once, by field."""

from typing import Any

import pytest

from brskills_server.skills.account.keys import RotateRequest
from brskills_server.skills.cnpj.models import CompanyRequest
from brskills_server.skills.errors import InvalidRequest
from brskills_server.skills.payee.models import PayeeRequest
from brskills_server.skills.validation import check_request, is_whole_number
from tests.for_each import for_each


def test_null_is_absent() -> None:
    assert check_request(RotateRequest, {"sobreposicao_segundos": None}).sobreposicao_segundos == 0


@for_each(
    ("model", "content", "issues"),
    [
        (CompanyRequest, {}, {"cnpj": "required"}),
        (CompanyRequest, {"cnpj": None, "x": None}, {"cnpj": "required", "x": "unknown_field"}),
        (
            CompanyRequest,
            {"cnpj": [], "idade_maxima": "60", "x": 1},
            {"cnpj": "invalid_type", "idade_maxima": "invalid_type", "x": "unknown_field"},
        ),
        (
            CompanyRequest,
            {"cnpj": True, "idade_maxima": -1},
            {"cnpj": "invalid_type", "idade_maxima": "out_of_range"},
        ),
        (RotateRequest, {"sobreposicao_segundos": -1}, {"sobreposicao_segundos": "out_of_range"}),
        (PayeeRequest, {"chave": "x", "tipo_chave": "x"}, {"tipo_chave": "invalid_value"}),
    ],
)
def test_all_issues_of_shape_are_returned_at_once(
    model: type, content: dict[str, Any], issues: dict[str, str]
) -> None:
    with pytest.raises(InvalidRequest) as caught:
        check_request(model, content)
    assert {issue.field: issue.code for issue in caught.value.fields} == issues
    allowed = {
        "out_of_range": "0…604800" if model is RotateRequest else "0…1000000000",
        "invalid_value": "'cpf', 'cnpj', 'email', 'telefone', 'aleatoria'.",
    }
    for issue in caught.value.fields:
        assert all(allowed.get(issue.code, "") in issue.detail(language) for language in ("pt", "en"))


def test_a_field_of_whole_numbers_takes_no_text() -> None:
    assert is_whole_number(CompanyRequest, "idade_maxima")
    assert is_whole_number(RotateRequest, "sobreposicao_segundos")
    assert not is_whole_number(CompanyRequest, "cnpj")
    assert not is_whole_number(CompanyRequest, "x")
