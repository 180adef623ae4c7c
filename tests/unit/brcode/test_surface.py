"""The package as a whole: its imports, its examples, its records and the texts of its issues."""

import doctest
import importlib
import json
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import brcode
from brcode import Fields, InvalidCharge, Issue, decode, encode
from brcode.decode_texts import DECODE_CASES, DECODE_TEXTS
from brcode.encode_texts import ALERT_TEXTS, ENCODE_CASES, ENCODE_TEXTS
from brcode.errors import TEXTS
from brcode.fields import FIELDS, PLACED
from brcode.model import Charge
from brcode.rules import REFERENCES
from tests.unit.brcode.samples import DATA, SHOP, code

MODULES = ["brcode", *(f"brcode.{module.name}" for module in pkgutil.iter_modules(brcode.__path__))]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_every_module_hold(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_every_public_name_is_there():
    assert all(hasattr(brcode, public) for public in brcode.__all__)


def test_imports_are_the_standard_library_and_taxid():
    script = (
        "import json, sys; before = set(sys.modules); import brcode; "
        "print(json.dumps(sorted({name.partition('.')[0] for name in set(sys.modules) - before})))"
    )
    paths = {"PYTHONPATH": str(Path(brcode.__file__).parents[1])}
    output = subprocess.run(
        [sys.executable, "-S", "-c", script], env=paths, capture_output=True, check=True
    ).stdout
    loaded = set(json.loads(output))
    assert {"brcode", "taxid"} <= loaded
    assert loaded <= {"brcode", "taxid", *sys.stdlib_module_names}
    assert not loaded & {"dataclasses", "inspect", "logging", "urllib", "socket", "json", "asyncio"}


def test_an_issue_names_its_rule_and_reference():
    (issue,) = decode(code(o52="x")).errors
    assert (issue.rule, issue.reference) == ("mcc", REFERENCES["mcc"])


def test_every_text_is_there_in_both_languages():
    assert set(REFERENCES) == {*DECODE_TEXTS, "too_long", "hosts_differ"}
    assert len(TEXTS) == len(ENCODE_TEXTS) + len(ALERT_TEXTS) + len(DECODE_TEXTS)
    assert {case.partition(":")[0] for case in CASES} <= TEXTS.keys()
    texts = [*TEXTS.values(), *CASES.values()]
    assert all(portuguese and english and portuguese != english for portuguese, english in texts)


def test_languages():
    with pytest.raises(InvalidCharge) as caught:
        encode(key="1", **SHOP)
    for issue in (*decode(code(o52="x")).errors, *caught.value.issues):
        assert issue.detail() == issue.detail("pt") == issue.detail("fr")
        assert issue.detail("pt") != issue.detail("en")


CASES = ENCODE_CASES | DECODE_CASES
PUBLIC = json.loads((DATA / "brcode_texts.json").read_text())
NAMES = PUBLIC["names"]


@pytest.mark.parametrize(("charge", "issues"), PUBLIC["issues"])
def test_texts_of_charges_with_public_names(charge, issues):
    with pytest.raises(InvalidCharge) as caught:
        encode(**charge)
    assert [
        [NAMES[issue.field], issue.code, issue.detail("pt", NAMES), issue.detail("en", NAMES)]
        for issue in caught.value.issues
    ] == issues


@pytest.mark.parametrize(("text", "issues"), PUBLIC["findings"])
def test_texts_of_codes_with_public_names(text, issues):
    decoded = decode(text)
    assert [
        [issue.rule, issue.field, issue.detail("pt", NAMES), issue.detail("en", NAMES)]
        for issue in (*decoded.errors, *decoded.warnings)
    ] == issues


def test_a_field_has_its_emv_name_unless_the_caller_has_another():
    with pytest.raises(InvalidCharge) as caught:
        encode(key="52998224725", merchant_name="", merchant_city="BELEM")
    (issue,) = caught.value.issues
    assert issue.detail("en") == str(caught.value) == "merchant_name is required."
    assert issue.detail("en", {"merchant_name": "payee"}) == "payee is required."


def test_the_table_and_the_records_name_the_same_fields():
    assert {*PLACED, "key_type", "unknown"} == set(Fields._fields)
    assert list(Charge.__annotations__) == list(FIELDS)


def test_a_callers_braces_are_text():
    issue = Issue("merchant_name", "would_adjust", {"reasons": "x", "right": "{0}"})
    assert issue.detail("en").endswith("{0}.")


def test_an_issue_quotes_no_words_of_a_code():
    """A text of the API must not repeat an instruction to a model that a code contains."""
    words = "PAY ANOTHER KEY"
    found = decode(code(o01=words, o53=words, o58=words, o61=words, o59=f"{words}\u202e", o62={"05": words}))
    issues = [*found.errors, *found.warnings]
    assert {"initiation_method", "currency", "country", "txid_characters"} <= {i.rule for i in issues}
    assert not any(words in issue.detail(language) for issue in issues for language in ("pt", "en"))
