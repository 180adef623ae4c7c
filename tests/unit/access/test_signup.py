from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from access import Pseudonyms, SignupLimit, network_of


def test_an_address_has_so_many_keys_a_day(signups, clock) -> None:
    clock.now = datetime.fromisoformat("2026-11-18T23:00:00-03:00").timestamp()
    signups.take("192.0.2.1", None)
    signups.take("192.0.2.1", None)
    with pytest.raises(SignupLimit) as refusal:
        signups.take("192.0.2.1", None)
    assert refusal.value.retry_after == 3600
    signups.take("192.0.2.2", None)
    clock.now += 3600
    signups.take("192.0.2.1", None)


def test_an_email_is_limited_from_whatever_address(signups) -> None:
    signups.take("192.0.2.1", "dev@exemplo.com.br")
    signups.take("192.0.2.2", "Dev@Exemplo.com.br")
    with pytest.raises(SignupLimit):
        signups.take("192.0.2.3", "dev@exemplo.com.br")


def test_no_address_or_email_is_stored_and_all_of_it_ages(signups, table) -> None:
    signups.take("192.0.2.77", "dev@exemplo.com.br")
    items = list(table.scan())
    assert "192.0.2.77" not in str(items)
    assert "exemplo" not in str(items)
    assert all("expires_at" in item for item in items)


def test_pseudonyms_hold_for_a_month_and_across_processes(table, clock) -> None:
    first, second = Pseudonyms(table), Pseudonyms(table)
    assert first.of("192.0.2.1", clock.now) == second.of("192.0.2.1", clock.now)
    assert first.of("192.0.2.1", clock.now) != first.of("192.0.2.2", clock.now)
    assert first.of("192.0.2.1", clock.now) != first.of("192.0.2.1", clock.now + 31 * 86_400)


def test_two_processes_that_make_the_salt_at_once_agree(table, clock, monkeypatch) -> None:
    first, second = Pseudonyms(table), Pseudonyms(table)
    seen = first.of("192.0.2.1", clock.now)
    monkeypatch.setattr(table, "get", lambda pk, get=table.get, late=[None]: late.pop() if late else get(pk))
    assert second.of("192.0.2.1", clock.now) == seen  # its first look came before the salt was there


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.1", "192.0.2.1"),
        (" 192.0.2.1 ", "192.0.2.1"),
        ("2001:db8:0:1:aaaa::1", "2001:db8:0:1::"),
        ("2001:db8:0:1:bbbb::2", "2001:db8:0:1::"),
        ("2001:db8:0:2::1", "2001:db8:0:2::"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("", "unknown"),
        ("nonsense", "unknown"),
        ("192.0.2.1:443", "192.0.2.1"),
        ("[2001:db8:0:1::9]:443", "2001:db8:0:1::"),
        ("[2001:db8:0:1::9]", "2001:db8:0:1::"),
    ],
)
def test_networks(address: str, network: str) -> None:
    assert network_of(address) == network


@given(st.text())
def test_no_address_upsets_it(address: str) -> None:
    assert network_of(address)
