"""Encoding charges: kinds, conflicts, adjustments, and every issue at once."""

import importlib
from decimal import Decimal

import pytest

from brcode import Fields, InvalidCharge, KeyType, Kind, canonical, decode, encode
from brcode.encode import write
from brcode.fields import FIELDS
from brcode.key_forms import key_form
from tests.for_each import for_each
from tests.unit.brcode.samples import CNPJ, CPF, EVP, PLACE, SHOP

RECURRENCE = "pix.example.com/qr/v2/rec/2353c790eefb11eaadc10242ac120002"


def refused(**charge):
    with pytest.raises(InvalidCharge) as caught:
        encode(**charge)
    for issue in caught.value.issues:
        for language in ("pt", "en"):
            assert "{" not in issue.detail(language)
            assert issue.detail(language).endswith(".")
    return [(issue.field, issue.code) for issue in caught.value.issues]


def issue_of(**charge):
    with pytest.raises(InvalidCharge) as caught:
        encode(**charge)
    (issue,) = caught.value.issues
    return issue


@for_each(
    ("given", "kind"),
    [
        ({"key": CPF}, Kind.ESTATICO),
        ({"key": CPF, "withdrawal_ispb": "30680829"}, Kind.SAQUE),
        ({"location": PLACE}, Kind.DINAMICO),
        ({"recurrence_location": RECURRENCE}, Kind.RECORRENCIA),
        ({"location": PLACE, "recurrence_location": RECURRENCE}, Kind.COMPOSTO),
        ({"key": CPF, "recurrence_location": RECURRENCE}, Kind.COMPOSTO),
    ],
)
def test_kinds(given, kind):
    has_key = "key" in given
    amount = {"amount": "10"} if has_key else {}
    code = encode(**given, **SHOP, **amount, single_use=not has_key, postal_code="70.074-900", mcc="5411")
    assert code.kind is kind
    decoded = decode(code.payload)
    assert decoded.errors == decoded.warnings == ()
    assert decoded.kind is kind
    for field, value in given.items():
        assert getattr(decoded.fields, field) == value
    assert decoded.fields.amount == code.amount == ("10.00" if amount else None)
    assert decoded.fields.txid == code.txid == "***"
    assert decoded.fields.single_use is not has_key
    assert (decoded.fields.postal_code, decoded.fields.mcc) == ("70074900", "5411")


def test_template_26_of_a_recurrence_alone_has_only_its_identifier():
    assert "26180014br.gov.bcb.pix5204" in encode(recurrence_location=RECURRENCE, **SHOP).payload


def test_values_in_canonical_form():
    code = encode(
        key=" 12.abc.345/01de-35",
        amount=Decimal("1E+1"),
        merchant_name="Padaria São João",
        merchant_city="Belém",
        txid="PEDIDO1",
        description="pão  de queijo",
        single_use=False,
    )
    shown = (CNPJ, KeyType.CNPJ, "10.00", "Padaria Sao Joao", "Belem", "PEDIDO1", "pao de queijo")
    assert code[1:9] == (Kind.ESTATICO, *shown)
    assert code.adjustments == (
        ("merchant_name", "Padaria São João", "Padaria Sao Joao", "transliterado"),
        ("merchant_city", "Belém", "Belem", "transliterado"),
        ("description", "pão  de queijo", "pao  de queijo", "transliterado"),
        ("description", "pao  de queijo", "pao de queijo", "espacos"),
    )
    assert "010211" in code.payload[6:12]


def test_a_protocol_is_dropped_and_reported():
    code = encode(location=f" https://{PLACE}", recurrence_location=f"HTTP://{RECURRENCE}", **SHOP)
    assert decode(code.payload).fields.location == PLACE
    assert code.adjustments == (
        ("location", f" https://{PLACE}", f"https://{PLACE}", "espacos"),
        ("location", f"https://{PLACE}", PLACE, "protocolo"),
        ("recurrence_location", f"HTTP://{RECURRENCE}", RECURRENCE, "protocolo"),
    )


def test_strict_rejects_adjustments_with_the_accepted_value():
    charge = {"key": "529.982.247-25", "amount": "1", "postal_code": "70074-900", **SHOP}
    assert encode(**charge, strict=True).adjustments == ()
    charge |= {"merchant_name": "Padaria São João da Boa Vista", "description": "a  b"}
    assert refused(**charge, strict=True) == [
        ("merchant_name", "would_adjust"),
        ("description", "would_adjust"),
    ]
    del charge["description"]
    issue = issue_of(**charge, strict=True)
    assert issue.params == {"reasons": "transliterado, truncado", "right": "Padaria Sao Joao da Boa"}
    assert encode(**{**charge, "merchant_name": "Padaria Sao Joao da Boa"}, strict=True).merchant_name
    assert refused(location=f"https://{PLACE}", **SHOP, strict=True) == [("location", "would_adjust")]


CHARGE, REC, CASH = {"location": PLACE}, {"recurrence_location": RECURRENCE}, {"withdrawal_ispb": "30680829"}
CONFLICTS = [
    ({"key": CPF, **CHARGE}, ["key", "location"]),
    ({"key": CPF, **CHARGE, **REC}, ["key", "location"]),
    ({**CHARGE, **CASH}, ["withdrawal_ispb"]),
    ({"key": CPF, **REC, **CASH}, ["withdrawal_ispb"]),
    ({**REC, **CASH}, ["withdrawal_ispb"]),
    ({**CHARGE, "txid": "A1"}, ["txid"]),
    ({**CHARGE, "description": "x"}, ["description"]),
    ({**CHARGE, "amount": "1"}, ["amount"]),
    ({**REC, "amount": "1"}, ["amount"]),
    ({**CHARGE, **REC, "txid": "A1", "description": "x"}, ["txid", "description"]),
    ({**REC, "description": "x"}, ["description"]),
    ({**CHARGE, "key_type": "cpf"}, ["key_type"]),
]


@for_each(("given", "fields"), CONFLICTS)
def test_conflicts(given, fields):
    assert refused(**given, **SHOP) == [(field, "conflicting_fields") for field in fields]


@for_each("given", [{}, CASH, {"key": ""}])
def test_a_key_or_a_location_is_required(given):
    assert refused(**given, **SHOP) == [("key", "required")]


MISPLACED = [
    ({"location": "pix.example.com/rec/1"}, [("location", "wrong_location_kind")]),
    ({"location": "https://pix.example.com/v2/REC/1"}, [("location", "wrong_location_kind")]),
    ({"recurrence_location": "pix.example.com/cob/1"}, [("recurrence_location", "wrong_location_kind")]),
    (
        {"key": CPF, "recurrence_location": "a.example/v2/cobv/1"},
        [("recurrence_location", "wrong_location_kind")],
    ),
    ({**CHARGE, "recurrence_location": "pix.other.example/rec/1"}, [("recurrence_location", "hosts_differ")]),
]
IN_PLACE = [
    {**CHARGE, "recurrence_location": "PIX.example.com/rec/1"},
    {"location": "pix.example.com/rec/cob/1", "recurrence_location": "pix.example.com/cob/subs/1"},
]


@for_each(("given", "issues"), MISPLACED)
def test_a_misplaced_location_or_a_second_host_is_refused(given, issues):
    assert refused(**given, **SHOP) == issues


@pytest.mark.parametrize("given", IN_PLACE)
def test_locations_in_their_places(given):
    assert encode(**given, **SHOP).kind is Kind.COMPOSTO


def test_a_conflict_names_the_other_field():
    issue = issue_of(location=PLACE, txid="A1", **SHOP)
    assert issue.params == {"others": "location", "case": "behind"}
    assert "location" in issue.detail("pt")
    assert "url" in issue.detail("pt", {"location": "url"})


def test_txid_of_recurrences_and_three_asterisks():
    assert encode(recurrence_location=RECURRENCE, txid="A1", **SHOP).txid == "A1"
    assert (
        encode(key=CPF, recurrence_location=RECURRENCE, txid="A1", description="x", **SHOP).description == "x"
    )
    assert encode(location=PLACE, txid="***", **SHOP).txid == "***"
    assert encode(key=CPF, txid="***", **SHOP) == encode(key=CPF, **SHOP)


ISSUES = {
    ("txid", "invalid_txid"): [("PEDIDO_1", "PEDIDO1"), ("pedido 1", "pedido1"), "café", "١٢", "", EVP],
    ("txid", "too_long"): ["A" * 26],
    ("mcc", "invalid_mcc"): ["541", "54a1", "٥٤١١"],
    ("postal_code", "invalid_postal_code"): ["7007490", "70074_900", "７００７４９００"],
    ("withdrawal_ispb", "invalid_ispb"): ["3068082", ("3068082a", "3068082A"), "ß0680829"],
    ("description", "empty_after_cleaning"): ["", "🎉"],
    ("amount", "invalid_amount"): [""],
    ("merchant_name", "empty_after_cleaning"): ["🎉🎉", "  "],
    ("merchant_name", "required"): ["", None],
    ("merchant_city", "empty_after_cleaning"): ["株式会社"],
    ("merchant_city", "required"): [None],
    ("single_use", "invalid_type"): [1, "true"],
    ("strict", "invalid_type"): [1, "sim"],
    ("amount", "invalid_type"): [49.9],
}


@for_each(
    ("field", "code", "value", "right"),
    [
        (*issue, *(value if isinstance(value, tuple) else (value, None)))
        for issue, values in ISSUES.items()
        for value in values
    ],
)
def test_each_issue_has_its_code(field, code, value, right):
    issue = issue_of(**{"key": CPF, **SHOP, field: value})
    assert (issue.field, issue.code) == (field, code)
    assert issue.params.get("right") == right
    assert ("Omit" in issue.detail("pt")) is (value == "" and field != "merchant_name")


PLACES = {
    "invalid_url": [
        "", "pix.example.com", "pix.example.com/", "/qr/v2", "ftp://pix.example.com/x",
        "https://https://pix.example.com/x", "u:p@pix.example.com/x",
    ],
    "invalid_characters": ["pix.example.com/a b", "pix.example.com/ação", "pix.example.com/\u202ex"],
    "too_long": ["pix.example.com/" + "x" * 62],
    "invalid_type": [5],
}  # fmt: skip


@for_each(("place", "code"), [(place, code) for code, all_ in PLACES.items() for place in all_])
def test_locations(place, code):
    assert refused(location=place, **SHOP) == [("location", code)]
    assert refused(recurrence_location=place, **SHOP) == [("recurrence_location", code)]


@for_each("field", sorted(FIELDS.keys() - {"amount", "single_use", "strict"}))
@for_each("value", [5, 1.5, True, [], {}, b"x", Decimal(1), object()])
def test_values_that_are_no_text(field, value):
    charge = {"key": CPF, **SHOP, field: value}
    assert (field, "invalid_type") in refused(**charge)


@for_each(
    ("key", "ispb", "room"), [(CPF, None, 62), (CNPJ, None, 59), (EVP, "30680829", 25), ("a@b.co", None, 67)]
)
def test_the_room_for_a_description(key, ispb, room):
    charge = {"key": key, "withdrawal_ispb": ispb, **SHOP}
    code = encode(**charge, description="x" * room)
    assert decode(code.payload).fields.description == "x" * room
    issue = issue_of(**charge, description="x" * (room + 1))
    assert issue == ("description", "too_long", {"limit": room, "length": room + 1})


def test_all_issues_at_once_in_the_order_of_the_parameters():
    assert refused(
        key="529.982.247-24",
        amount="1,50",
        merchant_city="🎉",
        txid="a_b",
        description="x" * 80,
        postal_code="1",
        mcc="x",
        recurrence_location="x",
        single_use="x",
        strict=None,
    ) == [
        ("key", "invalid_check_digits"),
        ("amount", "invalid_amount"),
        ("merchant_name", "required"),
        ("merchant_city", "empty_after_cleaning"),
        ("txid", "invalid_txid"),
        ("description", "too_long"),
        ("postal_code", "invalid_postal_code"),
        ("mcc", "invalid_mcc"),
        ("recurrence_location", "invalid_url"),
        ("single_use", "invalid_type"),
        ("strict", "invalid_type"),
    ]


def test_values_that_look_like_the_next_field():
    charge = {
        "key": "a6304abcd@exemplo.com",
        "merchant_name": "X6008BRASILIA62070503",
        "merchant_city": "A62070503***63",
        "txid": "63041D3D6304",
        "description": "5204000053039865802BR59",
    }
    fields = decode(encode(**charge).payload).fields
    assert {name: getattr(fields, name) for name in charge} == charge


@pytest.mark.parametrize("key", [CPF, "529.982.247-25"])
def test_an_ambiguous_key_is_never_guessed_on_any_path(key):
    assert encode(key=key, **SHOP).key == CPF
    assert refused(key="11987654102", amount="10.00", **SHOP) == [("key", "ambiguous_key")]
    assert encode(key="119.876.541-02", amount="10.00", **SHOP).key_type is KeyType.CPF
    assert encode(key="(11) 98765-4102", amount="10.00", **SHOP).key_type is KeyType.TELEFONE


@for_each("field", ["key", "amount", "merchant_name", "merchant_city", "txid", "description", "location"])
def test_lone_surrogates_are_an_issue(field):
    charge = {"key": CPF, **SHOP, field: "\ud800"}
    assert refused(**charge)
    assert (
        encode(**{**charge, field: None, "key": CPF, **SHOP, "merchant_name": "Loja \ud800"}).merchant_name
        == "Loja"
    )


@for_each(
    "key", ["+a@exemplo.com", "+55@exemplo.com", "a@exempl.co", "1@exemplo.com.b", "a" * 25 + "@exemplo.br"]
)
def test_an_email_that_looks_like_another_key_is_an_email(key):
    code = encode(key=key, amount="1.00", **SHOP)
    assert code.key_type is decode(code.payload).fields.key_type is KeyType.EMAIL
    assert code.payload == encode(key=key, key_type="email", amount="1.00", **SHOP).payload


def test_a_wrong_code_is_never_returned(monkeypatch):
    module = importlib.import_module("brcode.encode")
    right = encode(key=CPF, amount="1.00", **SHOP)
    fast = canonical.encode_static_code
    monkeypatch.setattr(canonical, "encode_static_code", lambda key, amount, *rest: fast(key, "9.00", *rest))
    # the fast path's code is checked, and the slow path taken
    assert encode(key=CPF, amount="1.00", **SHOP) == right
    monkeypatch.setattr(module, "write", lambda fields: write(fields._replace(amount="9.00")))
    with pytest.raises(RuntimeError):
        encode(key=CPF, amount="1.00", **SHOP)


@pytest.mark.parametrize("key", [CPF, "529.982.247-25", CNPJ, EVP, "+5511987654321", "a@exemplo.com"])
def test_canonical_codes_take_the_fast_path(key, monkeypatch):
    monkeypatch.delattr(importlib.import_module("brcode.encode"), "prepare")
    monkeypatch.delattr(importlib.import_module("brcode.decode"), "_inspect")
    code = encode(key=key, amount="1.00", **SHOP)
    assert decode(code.payload).fields.key == code.key


def test_an_unknown_parameter_is_rejected():
    with pytest.raises(TypeError, match="store"):
        encode(key=CPF, **SHOP, store="1")
    with pytest.raises(TypeError):
        encode(CPF, **SHOP)


@for_each("key", [CPF, CNPJ, EVP, "+5511987654321", "a@exemplo.com"])
@for_each("amount", [None, "49.90"])
def test_the_two_writers_agree(key, amount):
    fields = encode(key=key, key_type=key_form(key), amount=amount, txid="A1", **SHOP)
    again = Fields(key=key, amount=amount, txid="A1", mcc="0000", **SHOP)
    assert canonical.encode_static_code(key, amount, *SHOP.values(), "A1") == write(again) == fields.payload


@pytest.mark.parametrize("length", [66, 77])
def test_a_key_too_long_for_a_saque_is_refused(length):
    fits, over = ("a" * (n - len("@exemplo.com")) + "@exemplo.com" for n in (65, length))
    assert decode(encode(key=fits, withdrawal_ispb="12345678", **SHOP).payload).valid
    assert refused(key=over, withdrawal_ispb="12345678", **SHOP) == [("key", "too_long")]


def test_limit_of_a_description_without_room_is_zero():
    issue = issue_of(key="a" * 65 + "@exemplo.com", description="x", **SHOP)
    assert (issue.field, issue.params["limit"]) == ("description", 0)
