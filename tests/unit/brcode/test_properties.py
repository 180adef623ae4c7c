"""Properties of any charge and any text."""

import re
import string

from hypothesis import example, given
from hypothesis import strategies as st

from brcode import InvalidCharge, decode, encode
from brcode.fields import FIELDS
from taxid import cnpj, cpf
from tests.unit.brcode.samples import VECTORS

DIGITS = "0123456789"
ALNUM = string.ascii_letters + DIGITS
ODD = st.text(st.characters(categories=["Cs", "Cc", "Cf", "Mn", "Nd", "Zs", "So", "Ll"]), max_size=12)
PRINTABLE = string.ascii_letters + DIGITS + string.punctuation + " "


def with_check_digits(body, is_valid):
    return next(number for pair in range(100) if is_valid(number := f"{body}{pair:02d}"))


keys = st.one_of(
    st.text(DIGITS, min_size=9, max_size=9)
    .filter(lambda body: len(set(body)) > 1)
    .map(lambda body: with_check_digits(body, cpf.is_valid)),
    st.text(string.ascii_uppercase + DIGITS, min_size=12, max_size=12)
    .filter(lambda body: len(set(body)) > 1)
    .map(lambda body: with_check_digits(body, cnpj.is_valid)),
    st.from_regex(r"[a-z0-9._+-]{1,20}@[a-z0-9]{1,10}(\.[a-z0-9]{1,5}){1,3}", fullmatch=True),
    st.from_regex(r"\+55(11|21|99)9[0-9]{8}", fullmatch=True),
    st.uuids().map(str),
)
names = st.text(PRINTABLE, min_size=1, max_size=25).filter(lambda text: text == " ".join(text.split()))
cities = names.filter(lambda text: len(text) <= 15)
places = st.from_regex(r"[a-z]{1,8}(\.[a-z]{2,8}){1,2}/[!$-.0-;=@-Z_a-z~]{4,40}", fullmatch=True).filter(
    lambda place: not place.endswith("/cobv")
)
amounts = st.integers(1, 999_999_999_999).map(lambda cents: f"{cents // 100}.{cents % 100:02d}")


@st.composite
def charges(draw):
    """Return a kind and a charge of it in canonical form."""
    kind = draw(
        st.sampled_from(["estatico", "saque", "dinamico", "recorrencia", "composto", "composto com chave"])
    )
    charge = {"merchant_name": draw(names), "merchant_city": draw(cities)}
    optional = {
        "postal_code": st.text(DIGITS, min_size=8, max_size=8),
        "mcc": st.text(DIGITS, min_size=4, max_size=4),
        "single_use": st.booleans() if kind in ("dinamico", "recorrencia", "composto") else st.just(False),
    }
    if kind in ("estatico", "saque", "composto com chave"):
        charge["key"] = draw(keys)
        optional |= {"description": names, "amount": amounts}
    if kind in ("dinamico", "composto"):
        charge["location"] = draw(places)
    else:
        optional["txid"] = st.text(ALNUM, min_size=1, max_size=25)
    if kind.startswith(("recorrencia", "composto")):
        host, _, _ = charge.get("location", draw(places)).partition("/")
        charge["recurrence_location"] = f"{host}/rec/{draw(places).partition('/')[2]}"
    if kind == "saque":
        charge["withdrawal_ispb"] = draw(st.text(string.ascii_uppercase + DIGITS, min_size=8, max_size=8))
    for field, values in optional.items():
        if draw(st.booleans()):
            charge[field] = draw(values)
    return kind.split()[0], charge


def typed(charge):
    """Return the charge with the type of its key: random digits may be ambiguous."""
    key = charge.get("key", "")
    return charge | ({"key_type": "cpf"} if len(key) == 11 and key.isdigit() else {})


@given(charges())
def test_round_trip(drawn):
    kind, charge = drawn
    code = encode(**typed(charge))
    decoded = decode(code.payload)
    assert decoded.errors == decoded.warnings == ()
    assert decoded.kind == code.kind == kind
    assert {name: getattr(decoded.fields, name) for name in charge} == charge
    assert decoded.fields.unknown == ()
    assert code.adjustments == ()


@given(charges(), st.booleans())
def test_same_charge_same_code(drawn, strict):
    _, charge = drawn
    assert encode(**typed(charge), strict=strict) == encode(**typed(charge))


@given(charges(), st.data())
def test_a_changed_character_is_an_issue(drawn, data):
    payload = encode(**typed(drawn[1])).payload
    at = data.draw(st.integers(0, len(payload) - 1))
    char = data.draw(st.sampled_from(PRINTABLE) | st.characters())
    if char == payload[at]:
        return
    decoded = decode(payload[:at] + char + payload[at + 1 :])
    assert decoded.errors or decoded.warnings


@given(charges(), st.data())
def test_a_truncated_or_joined_code_is_an_issue(drawn, data):
    payload = encode(**typed(drawn[1])).payload
    at = data.draw(st.integers(0, len(payload) - 1))
    assert not decode(payload[:at]).valid
    assert not decode(payload[at + 1 :]).valid
    assert not decode(payload + payload[at:]).valid


PLACEHOLDER = re.compile(r"\{[a-z_]+\}")  # none is left unfilled; a part of the text may be quoted


def assert_described(text):
    decoded = decode(text)
    assert decoded.valid is (not decoded.errors)
    for issue in (*decoded.errors, *decoded.warnings):
        assert issue.reference
        assert not {*PLACEHOLDER.findall(issue.detail("pt"))} - {*PLACEHOLDER.findall(text)}
        assert issue.detail("en")


@given(
    st.text() | ODD | st.text("0123456589", max_size=300) | st.binary().map(lambda raw: raw.decode("latin-1"))
)
@example("0002010102{1")
@example("\ud800")
@example("0" * 4096)
@example("00" * 2048)
@example("6304")
@example("26990099" * 500)
@example("é" * 4096)
@example("\x00" * 4096)
@example("000201" + "2604" + "0000" * 1000)
def test_no_text_raises(text):
    assert_described(text)


@given(
    st.sampled_from([vector["payload"] for vector in VECTORS]),
    st.lists(st.tuples(st.integers(0, 300), st.text(max_size=3)), min_size=1, max_size=4),
)
def test_no_mangled_code_raises(payload, edits):
    for at, text in edits:
        payload = payload[:at] + text + payload[at + len(text) // 2 :]
    assert_described(payload)


texts = st.text(max_size=30) | ODD
anything = st.none() | texts | st.integers() | st.booleans() | st.floats() | st.decimals() | st.lists(texts)


@given(st.dictionaries(st.sampled_from(list(FIELDS)), anything))
def test_any_charge_is_encoded_or_rejected(charge):
    try:
        code = encode(**charge)
    except InvalidCharge as refused:
        details = [issue.detail(language) for issue in refused.issues for language in ("pt", "en")]
        assert details
        return
    assert decode(code.payload).valid
