"""Requests checked by a table, and answers of plain data, agree with their models."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from brskills_server.skills.account.get_usage import GET_USAGE
from brskills_server.skills.cnpj.look_up_companies import LOOK_UP_COMPANIES
from brskills_server.skills.cnpj.look_up_company import LOOK_UP_COMPANY
from brskills_server.skills.cnpj.search_companies import SEARCH_COMPANIES
from brskills_server.skills.errors import InvalidRequest
from brskills_server.skills.payee.check_payee import CHECK_PAYEE
from brskills_server.skills.pix.create_pix_code import CREATE_PIX_CODE
from brskills_server.skills.pix.create_pix_codes import CREATE_PIX_CODES
from brskills_server.skills.pix.decode_pix_code import DECODE_PIX_CODE
from brskills_server.skills.shape import check_shape
from brskills_server.skills.skill import Call, Skill, write_plain
from brskills_server.skills.validation import find_issues, is_whole_number
from brskills_server.web.body import parse_json
from tests.for_each import for_each
from tests.unit.brcode.samples import VECTORS

CHECKED_BY_TABLES = [
    CREATE_PIX_CODE,
    DECODE_PIX_CODE,
    CREATE_PIX_CODES,
    LOOK_UP_COMPANY,
    LOOK_UP_COMPANIES,
    SEARCH_COMPANIES,
    CHECK_PAYEE,
    GET_USAGE,
]
SHAPES = {skill.name: skill.shapes or {} for skill in CHECKED_BY_TABLES}
NAMES = sorted({"cor", "", *(name for shapes in SHAPES.values() for name in shapes)})
NUMBERS = st.integers() | st.sampled_from([-1, 0, 10**9, 10**9 + 1, 3600.0, 0.5, 1e9, 1e31])
SCALARS = st.none() | st.booleans() | NUMBERS | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    SCALARS | st.text(max_size=20) | st.sampled_from(["cpf", "email", "x" * 4096, "x" * 4097, "é" * 4096]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)
CONTENTS = st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=6)
each_skill = pytest.mark.parametrize("skill", CHECKED_BY_TABLES, ids=lambda s: s.name)


@each_skill
@given(content=CONTENTS)
def test_a_table_finds_the_issues_that_the_model_finds(skill: Skill, content: dict[str, Any]) -> None:
    read = parse_json(json.dumps(content).encode())  # with the numbers that a call has
    assert check_shape(SHAPES[skill.name], read) == find_issues(skill.request_model, read)[1]


@each_skill
def test_a_table_has_the_models_whole_numbers(skill: Skill) -> None:
    model, shapes = skill.request_model, skill.query_shapes
    assert {name: shape.is_whole_number for name, shape in shapes.items()} == {
        name: is_whole_number(model, name) for name in model.model_fields
    }


@each_skill
def test_a_table_has_the_models_fields(skill: Skill) -> None:
    assert list(SHAPES[skill.name]) == list(skill.request_model.model_fields)


def answer(skill: Skill, content: dict[str, Any]) -> dict[str, Any]:
    assert skill.prepare
    found = skill.answer(skill.prepare(content), Call(None, "pt", AssertionError))  # type: ignore[arg-type]
    assert skill.write(found) == skill.result_model.model_validate(found).model_dump_json(exclude_unset=True)
    return dict(found)


@given(text=st.text())
def test_a_reading_is_written_as_its_model_writes_it(text: str) -> None:
    with suppress(InvalidRequest):
        answer(DECODE_PIX_CODE, {"brcode": text})


@for_each("code", [vector["payload"] for vector in VECTORS])
def test_a_real_codes_reading_is_written_as_its_model_writes_it(code: str) -> None:
    assert answer(DECODE_PIX_CODE, {"brcode": code})


@given(name=st.text(min_size=1), key=st.sampled_from(["a@b", "pix@exemplo.com.br", "(11) 3265-4321"]))
def test_a_code_is_written_as_its_model_writes_it(name: str, key: str) -> None:
    with suppress(InvalidRequest):
        answer(CREATE_PIX_CODE, {"chave": key, "nome_recebedor": name, "cidade": "São Paulo", "qr": "svg"})


@given(text=st.text())
def test_any_text_is_written_as_a_model_writes_it(text: str) -> None:
    assert write_plain({"texto": text}) == Said(texto=text).model_dump_json()


class Said(BaseModel):
    texto: str
