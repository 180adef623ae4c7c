"""What the package promises to those who import it."""

import doctest
import importlib
import json
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import brcode
from brcode import InvalidCharge, Issue, decode, encode, texts
from brcode.rules import REFERENCES, WARNINGS
from tests.unit.brcode.samples import SHOP, code

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


def test_a_strangers_braces_are_text():
    assert "{field}" in decode(code(o01="{field}")).errors[0].detail("pt")
    assert (
        Issue("merchant_name", "would_adjust", {"reasons": "x", "right": "{0}"}).detail("en").endswith("{0}.")
    )


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
