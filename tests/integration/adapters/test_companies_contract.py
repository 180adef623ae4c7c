"""The contract of the store of companies, for every adapter."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from brskills_server.registry.dates import start_of_day
from tests.integration.adapters.sql.databases import NOW
from tests.integration.adapters.workers import PAID_LIMIT, claim_paid_calls

NUMBER = "11222333000181"


def test_an_entry_takes_the_place_of_the_old_one(companies: Any) -> None:
    assert companies.load(NUMBER) is None
    companies.save(NUMBER, {"form": 1, "record": "é", "at": 5}, expires_at=99)
    entry = companies.load(NUMBER)
    assert entry.items() >= {"form": 1, "record": "é", "at": 5, "expires_at": 99}.items()
    companies.save(NUMBER, {"form": 1, "confirmed": 0, "at": 6}, expires_at=100)
    entry = companies.load(NUMBER)
    assert "record" not in entry
    assert (entry["at"], entry["expires_at"]) == (6, 100)
    assert companies.load("33000167000101") is None


def test_many_are_loaded_as_one_is(companies: Any) -> None:
    companies.save(NUMBER, {"form": 1, "record": "é", "at": 5}, expires_at=99)
    companies.save("33000167000101", {"form": 1, "confirmed": 0, "at": 6}, expires_at=100)
    numbers = [NUMBER, "33000167000101", *(f"{number:014}" for number in range(98))]
    found = companies.load_many(numbers)
    assert found == {number: companies.load(number) for number in numbers[:2]}
    assert companies.load_many(numbers[2:]) == {}


def test_shared_state_is_changed_field_by_field(companies: Any) -> None:
    assert companies.state() == {}
    companies.set_state({"open:cnpja": 7, "base:opencnpj": "2026-09-15"})
    companies.set_state({"open:cnpja": 0})
    state = companies.state()
    assert (state["open:cnpja"], state["base:opencnpj"]) == (0, "2026-09-15")


def test_a_claim_needs_an_old_value(companies: Any) -> None:
    assert companies.claim("slot:cnpja:0", 100, at_most=38)
    assert not companies.claim("slot:cnpja:0", 110, at_most=48)
    assert companies.claim("slot:cnpja:0", 170, at_most=108)
    assert companies.claim("slot:cnpja:0", 171, at_most=170)
    assert companies.state()["slot:cnpja:0"] == 171


def test_one_of_many_claims_at_once_succeeds(companies: Any) -> None:
    with ThreadPoolExecutor(20) as threads:
        claims = threads.map(lambda _: companies.claim("slot", 100, at_most=38), range(20))
    assert sum(claims) == 1


def test_concurrent_paid_calls_stay_within_the_daily_limit(companies: Any) -> None:
    assert claim_paid_calls(companies, times=3, threads=8) == 24
    assert claim_paid_calls(companies, times=3, threads=8) == PAID_LIMIT - 24
    assert companies.state()["paid"] == start_of_day(NOW) + PAID_LIMIT
