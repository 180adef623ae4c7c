"""Alerts: legal values that are probably mistakes."""

from hypothesis import given
from hypothesis import strategies as st

from brcode import decode, encode
from brcode.key_forms import AREA_CODES
from tests.for_each import for_each
from tests.unit.brcode.samples import CNPJ, CPF, EVP, SHOP

area_codes = st.sampled_from(sorted(AREA_CODES))
labels = st.from_regex(r"[a-z0-9]{1,10}", fullmatch=True)


def rules(key, **more):
    """Return the rules of the alerts of a code, which ``decode`` reports too."""
    made = encode(key=key, **SHOP, **more)
    decoded = decode(made.payload)
    assert (made.alerts, decoded.valid) == (decoded.warnings, True)
    assert {alert.field for alert in made.alerts} <= {"key"}
    return [alert.rule for alert in made.alerts]


@given(
    area_codes, st.from_regex(r"[2-5][0-9]{7}", fullmatch=True), st.from_regex(r"9[0-9]{8}", fullmatch=True)
)
def test_a_landline_has_an_alert_and_a_mobile_none(area, landline, mobile):
    assert rules(f"+55{area}{landline}") == ["telefone_fixo"]
    assert rules(f"({area}) {landline[:4]}-{landline[4:]}") == ["telefone_fixo"]
    assert rules(f"+55{area}{mobile}") == []


@given(labels, labels)
def test_an_email_has_an_alert_where_its_domain_has_no_dot(name, domain):
    assert rules(f"{name}@{domain}") == ["email_sem_ponto"]
    assert rules(f"{name}.x@{domain}") == ["email_sem_ponto"]
    assert rules(f"{name}@{domain}.com") == []
    assert rules(f"+5511{name}@{domain}.com.br") == []


@for_each("key", [CPF, CNPJ, EVP, "+16505551234", "+351212345678"])
def test_other_keys_have_no_alert(key):
    assert rules(key) == []


MORE = [
    {"withdrawal_ispb": "30680829"},
    {"recurrence_location": "pix.example.com/rec/1"},
    {"strict": True, "amount": "10.00", "mcc": "5812", "description": "Pedido 42"},
]


@for_each("more", MORE)
def test_every_kind_with_a_key_has_alerts(more):
    assert rules("pix@exemplo", **more) == ["email_sem_ponto"]


CHARGE, RECURRENCE = {"location": "pix.example.com/v2/1"}, {"recurrence_location": "pix.example.com/rec/1"}
OF_USE = [
    ({"key": CPF, "single_use": True}, ["uso_unico_estatico"]),
    ({"key": CPF, "single_use": True, **RECURRENCE}, ["uso_unico_estatico"]),
    ({"key": CPF, "single_use": False}, []),
    (CHARGE, ["uso_unico_ausente"]),
    (CHARGE | RECURRENCE, ["uso_unico_ausente"]),
    (CHARGE | {"single_use": False}, []),
    (CHARGE | {"single_use": True}, []),
    (RECURRENCE, []),
]


@for_each(("charge", "expected"), OF_USE)
def test_alerts_on_how_often_a_code_is_paid(charge, expected):
    alerts = encode(**charge, **SHOP).alerts
    assert [(alert.field, alert.code) for alert in alerts] == [("single_use", code) for code in expected]
    for alert in alerts:
        assert alert.detail("pt", {"single_use": "uso_unico", "location": "url"}).endswith((").", "vezes."))
        assert "{" not in alert.detail("en")
