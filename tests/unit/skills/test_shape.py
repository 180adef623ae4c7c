"""Requests that a table checks and answers that are plain data are as their models have them."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from skills import plain
from skills.create_pix_code import CREATE_PIX_CODE
from skills.create_pix_codes import CREATE_PIX_CODES
from skills.decode_pix_code import DECODE_PIX_CODE
from skills.pix_fields import PIX_SHAPES
from skills.pix_text import MAX_CODE_LENGTH
from skills.refusals import InvalidRequest
from skills.shape import Shape, faults_of_shape
from skills.skill import Call, Skill
from skills.validation import find_faults
from tests.unit.brcode.samples import VECTORS
from web.body import parse_json

SHAPES = {
    CREATE_PIX_CODE.name: PIX_SHAPES,
    DECODE_PIX_CODE.name: {"brcode": Shape(str, required=True, least=1, most=MAX_CODE_LENGTH)},
    CREATE_PIX_CODES.name: {"itens": Shape(object, required=True), "parcial": Shape(bool)},
}
NAMES = sorted({"cor", "", *(name for shapes in SHAPES.values() for name in shapes)})
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    SCALARS | st.text(max_size=20) | st.sampled_from(["cpf", "email", "x" * 4096, "x" * 4097, "é" * 4096]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)
CONTENTS = st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=6)
each_skill = pytest.mark.parametrize(
    "skill", [CREATE_PIX_CODE, DECODE_PIX_CODE, CREATE_PIX_CODES], ids=lambda s: s.name
)


@each_skill
@given(content=CONTENTS)
def test_a_table_finds_the_faults_that_the_model_finds(skill: Skill, content: dict[str, Any]) -> None:
    read = parse_json(json.dumps(content).encode())  # with the numbers that a call has
    assert faults_of_shape(SHAPES[skill.name], read) == find_faults(skill.request_model, read)[1]


@each_skill
def test_a_table_has_the_models_fields(skill: Skill) -> None:
    assert list(SHAPES[skill.name]) == list(skill.request_model.model_fields)


def answer(skill: Skill, content: dict[str, Any]) -> dict[str, Any]:
    assert skill.prepare
    found = skill.answer(skill.prepare(content), Call(None, "pt", AssertionError))  # type: ignore[arg-type]
    assert skill.write(found) == skill.result_model.model_validate(found).model_dump_json()
    return dict(found)


@given(text=st.text())
def test_a_reading_is_written_as_its_model_writes_it(text: str) -> None:
    with suppress(InvalidRequest):
        answer(DECODE_PIX_CODE, {"brcode": text})


@pytest.mark.parametrize("code", [vector["payload"] for vector in VECTORS])
def test_a_real_codes_reading_is_written_as_its_model_writes_it(code: str) -> None:
    assert answer(DECODE_PIX_CODE, {"brcode": code})


@given(name=st.text(min_size=1), key=st.sampled_from(["a@b", "pix@exemplo.com.br", "(11) 3265-4321"]))
def test_a_code_is_written_as_its_model_writes_it(name: str, key: str) -> None:
    with suppress(InvalidRequest):
        answer(CREATE_PIX_CODE, {"chave": key, "nome_recebedor": name, "cidade": "São Paulo"})


@given(text=st.text())
def test_any_text_is_written_as_a_model_writes_it(text: str) -> None:
    assert plain.write({"texto": text}) == Said(texto=text).model_dump_json()


class Said(BaseModel):
    texto: str
