"""What is legal and yet probably a slip: written, and told; by ``decode`` too."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brcode import decode, encode
from brcode.key_forms import AREA_CODES
from tests.unit.brcode.samples import CNPJ, CPF, EVP

SHOP = {"merchant_name": "Padaria", "merchant_city": "Belem"}
area_codes = st.sampled_from(sorted(AREA_CODES))
labels = st.from_regex(r"[a-z0-9]{1,10}", fullmatch=True)


def rules(key, **more):
    """The alerts of a code with this key, by rule; reading the code tells the same."""
    made = encode(key=key, **SHOP, **more)
    assert made.alerts == decode(made.payload).warnings
    assert decode(made.payload).valid
    assert {alert.field for alert in made.alerts} <= {"key"}
    return [alert.rule for alert in made.alerts]


@given(area_codes, st.from_regex(r"[2-5][0-9]{7}", fullmatch=True))
def test_a_landline_is_written_and_told(area, number):
    assert rules(f"+55{area}{number}") == ["telefone_fixo"]
    assert rules(f"({area}) {number[:4]}-{number[4:]}") == ["telefone_fixo"]


@given(area_codes, st.from_regex(r"9[0-9]{8}", fullmatch=True))
def test_a_mobile_is_nothing_to_tell(area, number):
    assert rules(f"+55{area}{number}") == []


@given(labels, labels)
def test_an_email_is_told_of_where_its_domain_has_no_dot(name, domain):
    assert rules(f"{name}@{domain}") == ["email_sem_ponto"]
    assert rules(f"{name}.x@{domain}") == ["email_sem_ponto"]
    assert rules(f"{name}@{domain}.com") == []
    assert rules(f"+5511{name}@{domain}.com.br") == []


@pytest.mark.parametrize("key", [CPF, CNPJ, EVP, "+16505551234", "+351212345678"])
def test_other_keys_are_nothing_to_tell(key):
    assert rules(key) == []


@pytest.mark.parametrize(
    "more",
    [
        {"withdrawal_ispb": "30680829"},
        {"recurrence_location": "pix.example.com/rec/1"},
        {"strict": True, "amount": "10.00", "mcc": "5812", "description": "Pedido 42"},
    ],
)
def test_it_is_told_of_every_kind_that_holds_a_key(more):
    assert rules("pix@exemplo", **more) == ["email_sem_ponto"]


def test_without_a_key_there_is_nothing_to_tell():
    assert encode(location="pix.example.com/qr/v2/1", **SHOP).alerts == ()
