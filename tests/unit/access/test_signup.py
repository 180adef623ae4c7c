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


def test_no_address_or_email_is_stored(signups, store) -> None:
    signups.take("192.0.2.77", "dev@exemplo.com.br")
    kept = str(vars(store))
    assert "192.0.2.77" not in kept
    assert "exemplo" not in kept


def test_a_sign_up_ages_with_its_day(signups, store, monkeypatch) -> None:
    asked = []
    monkeypatch.setattr(store, "count_signup", lambda *of: asked.append(of) or True)
    signups.take("192.0.2.77", None)
    ((day, _, limit, expires_at),) = asked
    ends = datetime.fromisoformat("2026-11-19T00:00:00-03:00").timestamp()
    assert (day, limit, expires_at) == ("2026-11-18", 2, ends)


def test_a_salt_is_secret_and_ages_after_forty_days(store, clock, monkeypatch) -> None:
    asked = []
    monkeypatch.setattr(store, "month_salt", lambda *of: asked.append(of) or of[1])
    for _ in range(2):
        Pseudonyms(store).of("192.0.2.1", clock.now)
    assert [(month, len(salt), expires_at) for month, salt, expires_at in asked] == [
        ("2026-11", 32, clock.now + 40 * 86_400)
    ] * 2
    assert asked[0][1] != asked[1][1]


def test_pseudonyms_hold_for_a_month_and_across_processes(store, clock) -> None:
    first, second = Pseudonyms(store), Pseudonyms(store)
    assert first.of("192.0.2.1", clock.now) == second.of("192.0.2.1", clock.now)
    assert first.of("192.0.2.1", clock.now) != first.of("192.0.2.2", clock.now)
    assert first.of("192.0.2.1", clock.now) != first.of("192.0.2.1", clock.now + 31 * 86_400)


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
