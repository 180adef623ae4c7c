"""Whether sign-up is open, and texts that depend on it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brskills_server.accounts.errors import InvalidKey, SignupClosed
from brskills_server.runtime.features import Features
from brskills_server.runtime.services import Services
from brskills_server.runtime.settings import PUBLISHED_DEMO_KEY, Settings

TEXT = "A{{#signups}}b{{else}}c{{/signups}}D{{#demo}}e{{/demo}}F{{#demo}}{{else}}\ng{{/demo}}"


@pytest.mark.parametrize(
    ("offers", "text"),
    [
        (Features(signups=True, demo=True), "AbDeF"),
        (Features(signups=True, demo=False), "AbDF\ng"),
        (Features(signups=False, demo=True), "AcDeF"),
        (Features(signups=False, demo=False), "AcDF\ng"),
    ],
)
def test_of_each_part_one_side_is_kept(offers: Features, text: str) -> None:
    assert offers.render(TEXT) == text


@pytest.mark.parametrize(
    ("named", "there"),
    [
        ({}, ""),
        ({"STRIPE_PRICE_PRO": "price_1"}, "sold"),
        ({"CONTACT_EMAIL": "ajuda@brskills.example"}, "mail contact"),
        ({"SUPPORT_URL": "https://brskills.example/ajuda"}, "help_page contact"),
        ({"SLA_URL": "https://brskills.example/sla"}, "availability"),
        ({"PROJECT_URL": "https://brskills.example", "TERMS_URL": "https://brskills.example/termos"}, ""),
    ],
)
def test_what_is_not_named_is_not_told_of(named: dict[str, str], there: str) -> None:
    names = ("sold", "mail", "help_page", "contact", "availability")
    text = "".join(f"{{{{#{name}}}}}{name} {{{{/{name}}}}}" for name in names)
    assert Settings.from_environment(named).features.render(text).split() == there.split()


@pytest.mark.parametrize(
    ("named", "shown"),
    [
        ({}, ""),
        ({"CONTACT_EMAIL": "a@b.example"}, " (a@b.example)"),
        ({"SUPPORT_URL": "https://b.example"}, " (https://b.example)"),
        (
            {"CONTACT_EMAIL": "a@b.example", "SUPPORT_URL": "https://b.example"},
            " (https://b.example, a@b.example)",
        ),
    ],
)
def test_whom_to_ask_is_named_by_every_way_there_is(named: dict[str, str], shown: str) -> None:
    assert Settings.from_environment(named).support_contact == shown


@given(st.text(st.characters(exclude_characters="#")), st.booleans(), st.booleans())
def test_a_text_without_parts_stays(text: str, signups: bool, demo: bool) -> None:
    assert Features(signups, demo).render(text) == text


@pytest.mark.parametrize(
    ("given", "offers"),
    [
        ({}, Features(signups=True, demo=True)),
        ({"SIGNUPS_PER_DAY": "0"}, Features(signups=False, demo=True)),
        ({"SIGNUPS_PER_MONTH": "0"}, Features(signups=False, demo=True)),
        ({"DEMO_MONTHLY_LIMIT": "0"}, Features(signups=True, demo=False)),
    ],
)
def test_a_limit_of_none_closes(given: dict[str, str], offers: Features) -> None:
    services = Services(Settings.from_environment({"STORE": "memory", **given}))
    assert services.settings.features == offers
    if offers.signups:
        services.signups.take("192.0.2.1", None)
    else:
        with pytest.raises(SignupClosed):
            services.signups.take("192.0.2.1", None)
    if offers.demo:
        assert services.accounts.identify(PUBLISHED_DEMO_KEY)[0].is_demo
    else:
        with pytest.raises(InvalidKey):
            services.accounts.identify(PUBLISHED_DEMO_KEY)
