"""Codes from public sources and boundary cases."""

import json

from brcode import InvalidCharge, Kind, decode, encode
from brskills_server.skills.pix.fields import EMV_NAMES, PUBLIC_NAMES
from tests.for_each import for_each
from tests.unit.brcode.samples import DATA, PARAMETERS, VECTORS

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


@for_each("vector", VECTORS)
def test_validity_and_kind(vector):
    decoded = decode(vector["payload"])
    assert decoded.valid is vector["valid"], decoded
    if "kind" in vector:
        assert decoded.kind is KINDS[vector["kind"]]


@for_each("vector", [v for v in VECTORS if v["valid"] and "warnings" in v])
def test_warnings(vector):
    expected = set().union(*(RULES[name] for name in vector["warnings"] or ()))
    decoded = decode(vector["payload"])
    assert {finding.rule for finding in decoded.warnings} == expected | _of_the_present_manual(decoded.fields)


def _of_the_present_manual(fields):
    """Return the warnings that the manual 2.10.0 adds to those of the sources, by its own words."""
    behind = fields.location is not None
    alone = fields.recurrence_location is not None and fields.key is None and not behind
    txid = fields.txid or ""
    return {
        rule
        for rule, warns in {
            "ignored_with_location": ((behind or alone) and fields.amount not in (None, "0.00"))
            or (behind and txid.isalnum()),
            "uso_unico_estatico": fields.single_use and fields.key is not None,
            "recurrence_marker": "/rec/" not in (fields.recurrence_location or "/rec/"),
        }.items()
        if warns
    }  # fmt: skip


@for_each("vector", [v for v in VECTORS if v["valid"] and v["inputs"]])
def test_fields(vector):
    fields = decode(vector["payload"]).fields
    given = {PARAMETERS[name]: value for name, value in vector["inputs"].items() if name in PARAMETERS}
    assert {name: getattr(fields, name) for name in given} == given
    assert fields.single_use is {"11": False, "12": True, None: None}[vector["inputs"].get("pim")]


@for_each("vector", [v for v in VECTORS if v["canonical_rebuild"]])
def test_rebuilt_byte_for_byte(vector):
    given = {PARAMETERS[name]: value for name, value in vector["inputs"].items() if name in PARAMETERS}
    if "pim" in vector["inputs"]:
        given["single_use"] = vector["inputs"]["pim"] == "12"
    code = encode(**given)
    assert code.payload == vector["payload"]
    assert code.adjustments == ()
    assert encode(**given, strict=True) == code


MANUAL = json.loads((DATA / "manual_vectors.json").read_text())


@for_each("vector", [v for v in MANUAL if v["kind"] == "decode"])
def test_codes_of_the_manual(vector):
    """The manual's own codes and cases of its rules (2.10.0)."""
    decoded, expected = decode(vector["input"]), vector["expect"]
    found = {
        "valido": decoded.valid,
        "tipo": decoded.kind,
        "erros": [issue.rule for issue in decoded.errors],
        "alertas": [issue.rule for issue in decoded.warnings],
        "sugestao": decoded.suggestion
        and {"brcode": decoded.suggestion.payload, "motivos": [*decoded.suggestion.reasons]},
        **{name: getattr(decoded.fields, emv) for name, emv in EMV_NAMES.items() if emv != "strict"},
    }
    assert {name: found[name] for name in expected} == expected


@for_each("vector", [v for v in MANUAL if v["kind"] == "encode"])
def test_charges_of_the_manual(vector):
    charge = {EMV_NAMES[name]: value for name, value in vector["input"].items()}
    expected = vector["expect"]
    try:
        code = encode(**charge)
    except InvalidCharge as error:
        found = [[PUBLIC_NAMES[i.field], i.code, i.params.get("limit")] for i in error.issues]
        assert [
            issue[: len(right)] for issue, right in zip(found, expected["errors"], strict=True)
        ] == expected["errors"]
    else:
        assert (code.kind, code.payload[8:10]) == (expected["tipo"], str(expected["template_26_length"]))
