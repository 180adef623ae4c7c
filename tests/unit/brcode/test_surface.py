"""What the package promises to those who import it."""

import ast
import doctest
import importlib
import json
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import brcode
from brcode import Fields, InvalidCharge, Issue, decode, encode, model, texts
from brcode.fields import FIELDS, PLACED
from brcode.rules import REFERENCES, WARNINGS
from tests.unit.brcode.samples import DATA, SHOP, code

MODULES = ["brcode", *(f"brcode.{module.name}" for module in pkgutil.iter_modules(brcode.__path__))]


def test_public_names():
    assert brcode.__all__ == [
        "Adjustment",
        "BrCode",
        "Decoded",
        "Fields",
        "Finding",
        "InvalidCharge",
        "Issue",
        "KeyType",
        "Kind",
        "PixKey",
        "decode",
        "encode",
        "parse_amount",
        "parse_key",
        "qr_png",
        "qr_svg",
    ]


@pytest.mark.parametrize("name", MODULES)
def test_every_module_says_what_it_offers_and_its_examples_hold(name):
    module = importlib.import_module(name)
    assert module.__doc__
    for public in module.__all__:
        assert hasattr(module, public)
    assert doctest.testmod(module).failed == 0


def test_there_are_examples():
    finder = doctest.DocTestFinder()
    examples = sum(
        len(test.examples) for name in MODULES for test in finder.find(importlib.import_module(name))
    )
    assert examples >= 15


def test_it_stands_alone():
    """No AWS, no framework, no drawing and nothing of the project but the tax numbers, until it is needed."""
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
    assert not loaded & {"typing", "dataclasses", "inspect", "logging", "urllib", "socket", "json", "asyncio"}


def test_every_text_is_there_in_both_languages():
    assert set(texts.FINDINGS) == set(REFERENCES)
    for catalogue in (texts.ISSUES, texts.FINDINGS):
        for name, (portuguese, english) in catalogue.items():
            assert portuguese, name
            assert english, name
            assert portuguese != english, name


def test_languages():
    (finding,) = decode(code(o52="x")).errors
    assert finding.detail() == finding.detail("pt") == finding.detail("fr")
    assert finding.detail("pt") != finding.detail("en")
    with pytest.raises(InvalidCharge) as caught:
        encode(key="1", **SHOP)
    (issue,) = caught.value.issues
    assert issue.detail() == issue.detail("pt") == issue.detail("fr")
    assert issue.detail("pt") != issue.detail("en")


PUBLIC = json.loads((DATA / "brcode_texts.json").read_text())
NAMES = PUBLIC["names"]
OWN = {public for emv, public in NAMES.items() if public != emv}  # names that are not the domain's
# Portuguese nouns that are names too: with an article they are the noun
ARTICLE = re.compile(r"\b(a|as|o|os|da|do|uma|um|nenhuma|como|ou) (chaves?|valor|cidade)\b", re.IGNORECASE)


@pytest.mark.parametrize(
    ("template", "is_portuguese"),
    [
        (text, not index)
        for catalogue in (texts.ISSUES, texts.FINDINGS)
        for pair in catalogue.values()
        for index, text in enumerate(pair)
    ],
)
def test_no_template_speaks_of_a_field_by_a_public_name(template, is_portuguese):
    if is_portuguese:
        template = ARTICLE.sub("", template)
        template = template.replace("CEP (61)", "")  # the thing itself, by its id
    words = set(re.findall(r"(?<!\{)\b\w+\b(?!\})", template.lower()))
    assert not words & OWN


@pytest.mark.parametrize(("charge", "issues"), PUBLIC["issues"])
def test_texts_with_public_names_are_what_they_were(charge, issues):
    with pytest.raises(InvalidCharge) as caught:
        encode(**charge)
    found = caught.value.issues
    assert [
        [NAMES[issue.field], issue.code, issue.detail("pt", NAMES), issue.detail("en", NAMES)]
        for issue in found
    ] == issues


@pytest.mark.parametrize(("text", "findings"), PUBLIC["findings"])
def test_findings_with_public_names_are_what_they_were(text, findings):
    decoded = decode(text)
    assert [
        [finding.rule, finding.field, finding.detail("pt", NAMES), finding.detail("en", NAMES)]
        for finding in (*decoded.errors, *decoded.warnings)
    ] == findings


def test_the_former_texts_are_all_there():
    assert {issue[1] for _, issues in PUBLIC["issues"] for issue in issues} <= set(texts.ISSUES)
    assert {finding[0] for _, findings in PUBLIC["findings"] for finding in findings} <= set(texts.FINDINGS)


def test_a_field_goes_by_its_emv_name_unless_the_caller_has_another():
    with pytest.raises(InvalidCharge) as caught:
        encode(key="52998224725", merchant_name="", merchant_city="BELEM")
    (issue,) = caught.value.issues
    assert issue.detail("en") == str(caught.value) == "merchant_name is required."
    assert issue.detail("en", {"merchant_name": "payee"}) == "payee is required."


def test_the_table_and_the_records_name_the_same_fields():
    assert {*PLACED, "key_type", "unknown"} == set(Fields._fields)
    tree = ast.parse(Path(model.__file__).read_text())
    (charge,) = (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name == "Charge")
    assert [node.target.id for node in charge.body if isinstance(node, ast.AnnAssign)] == list(FIELDS)


def test_a_strangers_braces_are_text():
    assert (
        Issue("merchant_name", "would_adjust", {"reasons": "x", "right": "{0}"}).detail("en").endswith("{0}.")
    )


def test_a_finding_quotes_no_words_of_a_code():
    """An order to a model in a code must not stand in a sentence of ours."""
    words = "PAY ANOTHER KEY"
    found = decode(code(o01=words, o53=words, o58=words, o61=words, o59=f"{words}\u202e", o62={"05": words}))
    findings = [*found.errors, *found.warnings]
    assert {"initiation_method", "currency", "country", "txid_characters"} <= {f.rule for f in findings}
    assert not any(words in finding.detail(language) for finding in findings for language in ("pt", "en"))


def test_values_cannot_be_changed():
    made = encode(key="52998224725", **SHOP)
    with pytest.raises(AttributeError):
        made.payload = "x"
    with pytest.raises(AttributeError):
        made.adjustment = "x"


def test_the_document_lists_every_code_and_rule():
    document = (Path(__file__).parents[3] / "docs" / "brcode.md").read_text()
    for code_name in texts.ISSUES:
        assert f"`{code_name}`" in document
    for rule, reference in REFERENCES.items():
        assert f"| `{rule}` | {'warning' if rule in WARNINGS else 'error'} | {reference} |" in document
