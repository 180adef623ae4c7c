from __future__ import annotations

from collections.abc import Iterator

import pytest

from brskills_server.adapters.stripe.processor import StripeProcessor
from brskills_server.runtime.settings import Settings
from tests.conftest import Clock
from tests.fakes.stripe_api import API_KEY, PRICE, SECRET, FakeStripe


@pytest.fixture(scope="module")
def stripe() -> Iterator[FakeStripe]:
    with FakeStripe() as fake:
        yield fake


def processor_at(
    base: str, clock: Clock | None = None, seconds: float = 10, **changed: str
) -> StripeProcessor:
    """Return a processor; ``seconds``: its time limit, by default longer than a busy machine takes."""
    environment = {
        "STRIPE_API_KEY": API_KEY,
        "STRIPE_WEBHOOK_SECRETS": SECRET,
        "STRIPE_PRICE_PRO": f"{PRICE},price_of_last_year",
        "STRIPE_API_BASE": base,
        **changed,
    }
    settings = Settings.from_environment(environment).stripe
    assert settings is not None
    return StripeProcessor(settings, timeout=(seconds, seconds), clock=clock or Clock())


@pytest.fixture
def processor(stripe) -> StripeProcessor:
    stripe.faults.clear()
    stripe.calls.clear()
    return processor_at(stripe.base)
