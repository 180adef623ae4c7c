"""Codes from public sources and boundary cases."""

import pytest

from brcode import Kind, decode, encode
from tests.unit.brcode.samples import PARAMETERS, VECTORS

KINDS = {
    "static": Kind.ESTATICO,
    "dynamic": Kind.DINAMICO,
    "saque": Kind.SAQUE,
    "recurrence": Kind.RECORRENCIA,
    "composite": Kind.COMPOSTO,
    "non-pix-emv": None,
    None: None,
}
RULES = {  # what the source calls it, and what it is here
    "GUI_CASE": {"gui_case"},
    "TXID:charset": {"txid_characters_dynamic"},
    "KEY_DV": {"key_check_digits"},
    "F54_NOT_2DEC": {"amount_not_canonical"},
    "F59_PADDED": {"padded"},
    "F62_50_LEGACY": {"brcode_version_field"},
    "F80_01_legacy": {"recurrence_legacy_field"},
    "NON_ASCII": {"non_ascii"},
}


def named(vector):
    return f"{vector['payload'][-4:]}-{vector.get('note') or vector.get('kind')}"


@pytest.mark.parametrize("vector", VECTORS, ids=named)
def test_validity_and_kind(vector):
    decoded = decode(vector["payload"])
    assert decoded.valid is vector["valid"], decoded
    if "kind" in vector:
        assert decoded.kind is KINDS[vector["kind"]]


@pytest.mark.parametrize("vector", [v for v in VECTORS if v["valid"] and "warnings" in v], ids=named)
def test_warnings(vector):
    expected = set().union(*(RULES[name] for name in vector["warnings"] or ()))
    assert {finding.rule for finding in decode(vector["payload"]).warnings} == expected


@pytest.mark.parametrize("vector", [v for v in VECTORS if v["valid"] and v["inputs"]], ids=named)
def test_fields(vector):
    fields = decode(vector["payload"]).fields
    given = {PARAMETERS[name]: value for name, value in vector["inputs"].items() if name in PARAMETERS}
    assert {name: getattr(fields, name) for name in given} == given
    assert fields.single_use is {"11": False, "12": True, None: None}[vector["inputs"].get("pim")]


@pytest.mark.parametrize("vector", [v for v in VECTORS if v["canonical_rebuild"]], ids=named)
def test_rebuilt_byte_for_byte(vector):
    given = {PARAMETERS[name]: value for name, value in vector["inputs"].items() if name in PARAMETERS}
    if "pim" in vector["inputs"]:
        given["single_use"] = vector["inputs"]["pim"] == "12"
    code = encode(**given)
    assert code.payload == vector["payload"]
    assert code.adjustments == ()
    assert encode(**given, strict=True) == code
