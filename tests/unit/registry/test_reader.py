"""The field maps of the providers, and answers that are not what they claim to be."""

from collections.abc import Mapping
from contextlib import suppress
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from brskills_server.registry.company import Record
from brskills_server.registry.providers import REMOTE_IDS
from brskills_server.registry.providers.catalogue import PROVIDERS
from brskills_server.registry.providers.reading.fields import find, same
from brskills_server.registry.providers.reading.reader import read_record
from brskills_server.registry.snapshot.rows import (
    BRANCH_FIELDS,
    FIELD,
    ROOT_FIELDS,
    Edition,
    SnapshotCompany,
    record_text,
)
from brskills_server.registry.values import InvalidResponse
from tests.simulator.companies import company
from tests.simulator.dialects import DIALECTS
from tests.unit.registry.test_values import JUNK

NOT_READ = {"fonte", "capital_social_precisao"}  # these do not come out of the answer
NOT_EVERYWHERE = {"data_base", "inscricoes_estaduais"}  # not every provider has these
CODED = {"pais": {"codigo", "descricao"}}  # a country is found by its code too


def check(fields: Mapping[str, Any], model: type[BaseModel]) -> None:
    """Every name on the left is a field of the record."""
    assert fields.keys() - {"rows"} <= model.model_fields.keys()
    for name, inner in fields.items():
        if isinstance(inner, Mapping):
            if name in CODED:
                assert inner.keys() <= CODED[name]
            else:
                check(inner, model_of(model, name))


def model_of(model: type[BaseModel], name: str) -> type[BaseModel]:
    parts: list[Any] = [model.model_fields[name].annotation]
    for part in parts:
        parts += getattr(part, "__args__", ())
    return next(part for part in parts if isinstance(part, type) and issubclass(part, BaseModel))


@pytest.mark.parametrize("provider", REMOTE_IDS)
def test_a_field_map_has_the_names_of_the_record(provider: str) -> None:
    fields = PROVIDERS[provider].fields
    check(fields, Record)
    assert not fields.keys() & NOT_READ
    assert Record.model_fields.keys() - NOT_READ - NOT_EVERYWHERE <= fields.keys()


def test_a_row_of_a_snapshot_becomes_every_field_of_the_record() -> None:
    branch = FIELD.join("1" if name == "kind" else "" for name in BRANCH_FIELDS)
    root = FIELD.join("EMPRESA DE EXEMPLO LTDA" if name == "name" else "" for name in ROOT_FIELDS)
    text = record_text(SnapshotCompany("11222333000181", branch, root, Edition(date(2026, 9, 12))))
    record = Record.model_validate_json(text)
    assert record.model_dump_json() == text
    assert record.inscricoes_estaduais is None


def test_paths() -> None:
    answer = {"a": {"b": {"c": 1}}, "empty": "", "none": None}
    assert find(answer, "a.b.c") == 1
    assert find(answer, lambda given: given["a"]["b"]) == {"c": 1}
    assert [find(answer, path) for path in ("a.b.d", "a.x.c", "empty.c", "none.c")] == [None] * 4
    with pytest.raises(InvalidResponse):
        find(answer, "a.b.c.d")
    assert same("b", "c", within="a") == {"b": "a.b", "c": "a.c"}


@settings(max_examples=40)
@given(junk=JUNK, place=st.integers(0, 50))
def test_junk_in_a_field_raises_only_invalid_responses(junk: object, place: int) -> None:
    for provider in REMOTE_IDS:
        answer: Any = DIALECTS[provider](company("11222333000181"))
        name = sorted(answer)[place % len(answer)]
        with suppress(ValueError, ArithmeticError):
            read_record(PROVIDERS[provider], {**answer, name: junk})


@pytest.mark.parametrize("provider", ["", "google", "reader", "fields"])
def test_only_providers_can_be_loaded(provider: str) -> None:
    with pytest.raises(KeyError):
        PROVIDERS[provider]
