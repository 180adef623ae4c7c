"""Features of a deployment, the texts that depend on them, and whether sign-up and the demo key are open."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brskills_server.accounts.errors import InvalidKey, SignupClosed
from brskills_server.runtime.features import Features
from brskills_server.runtime.services import Services
from brskills_server.runtime.settings import PUBLISHED_DEMO_KEY, Settings
from tests.for_each import for_each

TEXT = "A{{#signups}}b{{else}}c{{/signups}}D{{#demo}}e{{/demo}}F{{#demo}}{{else}}\ng{{/demo}}"
MAIL, HELP = "a@b.example", "https://b.example"


@for_each(
    ("signups", "demo", "text"),
    [
        (True, True, "AbDeF"),
        (True, False, "AbDF\ng"),
        (False, True, "AcDeF"),
        (False, False, "AcDF\ng"),
    ],
)
def test_one_side_of_each_part_is_kept(signups: bool, demo: bool, text: str) -> None:
    assert Features(signups=signups, demo=demo).render(TEXT) == text


@for_each(
    ("given", "there", "contact"),
    [
        ({}, "", ""),
        ({"STRIPE_PRICE_PRO": "price_1"}, "sold", ""),
        ({"CONTACT_EMAIL": MAIL}, "mail contact", f" ({MAIL})"),
        ({"SUPPORT_URL": HELP}, "help_page contact", f" ({HELP})"),
        ({"CONTACT_EMAIL": MAIL, "SUPPORT_URL": HELP}, "mail help_page contact", f" ({HELP}, {MAIL})"),
        ({"SLA_URL": "https://b.example/sla"}, "availability", ""),
        ({"PROJECT_URL": "https://b.example", "TERMS_URL": "https://b.example/termos"}, "", ""),
    ],
)
def test_texts_name_only_what_is_configured(given: dict[str, str], there: str, contact: str) -> None:
    names = ("sold", "mail", "help_page", "contact", "availability")
    text = "".join(f"{{{{#{name}}}}}{name} {{{{/{name}}}}}" for name in names)
    settings = Settings.from_environment(given)
    assert settings.features.render(text).split() == there.split()
    assert settings.support_contact == contact


@given(st.text(st.characters(exclude_characters="#")), st.booleans(), st.booleans())
def test_a_text_without_parts_stays(text: str, signups: bool, demo: bool) -> None:
    assert Features(signups, demo).render(text) == text


@for_each("closed", ["", "SIGNUPS_PER_DAY", "SIGNUPS_PER_MONTH", "DEMO_MONTHLY_LIMIT"])
def test_a_limit_of_zero_closes(closed: str) -> None:
    given = {"STORE": "memory"} | ({closed: "0"} if closed else {})
    services = Services(Settings.from_environment(given))
    signups, demo = not closed.startswith("SIGNUPS"), not closed.startswith("DEMO")
    assert services.settings.features == Features(signups=signups, demo=demo)
    if signups:
        services.signups.take("192.0.2.1", None)
    else:
        with pytest.raises(SignupClosed):
            services.signups.take("192.0.2.1", None)
    if demo:
        assert services.accounts.identify(PUBLISHED_DEMO_KEY)[0].is_demo
    else:
        with pytest.raises(InvalidKey):
            services.accounts.identify(PUBLISHED_DEMO_KEY)
