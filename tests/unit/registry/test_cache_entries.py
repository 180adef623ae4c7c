"""What is stored of a company, and what is made of what this release did not store."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from brskills_server.registry.cache.entries import RECORDS, StoredCompany, read_entry
from brskills_server.registry.company import Record
from tests.for_each import for_each
from tests.simulator.companies import DATA

NUMBER = "33000167000101"
RECORD = json.loads((DATA / "expected/brasilapi/petrobras_2026-10-08.json").read_bytes())
TEXT = Record.model_validate(RECORD).model_dump_json()
ENTRY = StoredCompany(TEXT, 5).to_fields()


def form(schema: Any) -> Any:
    """A schema without what it says to people."""
    if isinstance(schema, list):
        return [form(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    texts = {"description", "examples", "title"}
    return {key: form(part) for key, part in schema.items() if key not in texts or isinstance(part, dict)}


def test_seals_stand_for_the_form_that_records_have() -> None:
    written = json.dumps(form(Record.model_json_schema()))
    assert hashlib.blake2b(written.encode(), digest_size=4).hexdigest() == RECORDS


def test_a_record_comes_back_as_it_was_stored() -> None:
    assert read_entry(ENTRY, NUMBER) == StoredCompany(TEXT, 5)
    assert StoredCompany(TEXT, 5).record == Record.model_validate(RECORD)


def test_a_record_of_another_company_is_none_of_this_one() -> None:
    other = json.dumps(RECORD | {"cnpj": "11222333000181"})
    assert read_entry(ENTRY, "11222333000181") is None
    assert read_entry({"form": 1, "at": 5, "record": other}, NUMBER) is None


@for_each("seal", [None, "", "0" * 24, 7])
def test_a_record_under_another_seal_is_read_by_the_model(seal: Any) -> None:
    damaged = json.dumps(RECORD | {"socios": "?"})
    lacking = json.dumps({name: value for name, value in RECORD.items() if name != "inscricoes_estaduais"})
    spaced = json.dumps(RECORD)
    whole = {TEXT: TEXT, spaced: TEXT, lacking: TEXT}
    for text in (*whole, damaged, TEXT[:-1], "\ud800", ""):
        found = whole.get(text)
        entry = {"form": 1, "at": 5, "record": text} | ({} if seal is None else {"seal": seal})
        assert read_entry(entry, NUMBER) == (found and StoredCompany(found, 5))


@pytest.mark.parametrize("part", ["record", "seal"])
def test_what_was_changed_after_it_was_sealed_is_no_record(part: str) -> None:
    changed = str(ENTRY["record"]).replace('"fonte":"brasilapi"', '"fonte":7')
    entry = {"record": {**ENTRY, "record": changed}, "seal": {**ENTRY, "record": changed, "seal": "x"}}[part]
    assert read_entry(entry, NUMBER) is None


def test_the_texts_of_a_record_of_an_earlier_release_are_cleaned() -> None:
    spoiled = {
        "razao_social": "PETRO\u200bLEO 111\u2013444\u2013777\u201335",
        "nome_fantasia": "\u2066\U000e0041",
        "telefones": [{"ddd": None, "numero": "11144477735"}],
    }
    text = Record.model_validate(RECORD | spoiled).model_dump_json()
    seal = hashlib.blake2b(f"{RECORDS}{text}".encode(), digest_size=12).hexdigest()  # as it was made then
    found = read_entry({"form": 1, "at": 5, "record": text, "seal": seal}, NUMBER)
    assert isinstance(found, StoredCompany)
    cleaned = {**spoiled, "razao_social": "PETROLEO ***444777**", "nome_fantasia": None}
    assert found.record == Record.model_validate(RECORD | cleaned)
    nameless = Record.model_validate(RECORD | {"razao_social": "\u200b"}).model_dump_json()
    assert read_entry({"form": 1, "at": 5, "record": nameless}, NUMBER) is None
