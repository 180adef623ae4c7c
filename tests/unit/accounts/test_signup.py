from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brskills_server.accounts.errors import SignupLimit
from brskills_server.accounts.network_hash import Pseudonyms, network_of
from brskills_server.accounts.signup import Signups
from tests.conftest import Clock
from tests.for_each import for_each
from tests.services.store import in_memory


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


@pytest.mark.parametrize("by", ["address", "email"])
def test_thirty_days_have_a_limit_of_their_own(signups, clock, by) -> None:
    def take(n: int) -> None:
        signups.take(*(("192.0.2.1", None) if by == "address" else (f"192.0.2.{n}", "dev@exemplo.com.br")))

    clock.now = first = datetime.fromisoformat("2026-11-20T23:00:00-03:00").timestamp()
    for n in range(5):  # two on the 20th, two on the 21st, one on the 22nd
        clock.now = first + n // 2 * 86_400
        take(n)
    for days in (2, 9, 10, 11, 28):  # over the turn of the month, too
        clock.now = first + days * 86_400
        with pytest.raises(SignupLimit) as refusal:
            take(days)
        assert (refusal.value.most, refusal.value.days) == (5, 30)
        assert refusal.value.retry_after == 3600 + (29 - days) * 86_400
    clock.now = first + 29 * 86_400 + 3600
    for n in (101, 102):
        take(n)
    with pytest.raises(SignupLimit) as refusal:
        take(103)
    assert (refusal.value.most, refusal.value.retry_after) == (5, 86_400)


def test_a_refused_sign_up_is_not_counted(signups, store) -> None:
    for n in range(2):
        signups.take(f"192.0.2.{n}", "dev@exemplo.com.br")
    with pytest.raises(SignupLimit):
        signups.take("192.0.2.9", "dev@exemplo.com.br")
    for _ in range(2):
        signups.take("192.0.2.9", None)


@given(st.lists(st.integers(0, 20), max_size=60))
def test_no_thirty_days_have_more_than_their_limit_and_no_wait_is_too_short_or_too_long(gaps) -> None:
    clock = Clock()
    store = in_memory()
    signups = Signups(store, Pseudonyms(store), per_day=2, per_month=5, clock=clock)
    taken: list[int] = []
    for gap in gaps:
        clock.now += gap * 43_200
        today = int(clock.now - 3 * 3600) // 86_400
        in_window = sum(day > today - 30 for day in taken)
        try:
            signups.take("192.0.2.1", None)
        except SignupLimit as refused:
            assert in_window >= 5 or taken.count(today) >= 2
            clock.now += refused.retry_after - 1
            with pytest.raises(SignupLimit):
                signups.take("192.0.2.1", None)
            clock.now += 1
            signups.take("192.0.2.1", None)
        else:
            assert in_window < 5
            assert taken.count(today) < 2
        taken.append(int(clock.now - 3 * 3600) // 86_400)


def test_a_sign_up_ages_with_the_thirty_days_it_counts_in(signups, store, monkeypatch) -> None:
    asked = []
    monkeypatch.setattr(store, "count_in_window", lambda *of: asked.append(of) or True)
    signups.take("192.0.2.77", None)
    ((_, day, limit, expires_at),) = asked
    ends = datetime.fromisoformat("2026-12-19T00:00:00-03:00").timestamp()
    assert (day, limit, expires_at) == ("2026-11-18", 2, ends)


def test_a_salt_is_secret_and_ages_a_month_after_its_own(store, clock, monkeypatch) -> None:
    asked = []
    monkeypatch.setattr(store, "month_salt", lambda *of: asked.append(of) or of[1])
    for _ in range(2):
        Pseudonyms(store).of("192.0.2.1", clock.now)
    ends = datetime.fromisoformat("2027-01-01T00:00:00-03:00").timestamp()
    assert [(month, len(salt), expires_at) for month, salt, expires_at in asked] == [
        ("2026-11", 32, ends)
    ] * 2
    assert asked[0][1] != asked[1][1]


def test_three_months_of_salts_are_remembered_and_no_more(store, clock, monkeypatch) -> None:
    asked = []
    salt = store.month_salt
    monkeypatch.setattr(store, "month_salt", lambda *of: asked.append(of[0]) or salt(*of))
    pseudonyms = Pseudonyms(store)
    for month in (0, 1, 0, 1, 2, 1, 2, 0, 3, 1, 0):
        pseudonyms.of("192.0.2.1", clock.now + month * 30 * 86_400)
    assert asked == ["2026-11", "2026-12", "2027-01", "2027-02", "2026-11"]


def test_pseudonyms_hold_for_a_month_and_across_processes(store, clock) -> None:
    first, second = Pseudonyms(store), Pseudonyms(store)
    assert first.of("192.0.2.1", clock.now) == second.of("192.0.2.1", clock.now)
    assert first.of("192.0.2.1", clock.now) != first.of("192.0.2.2", clock.now)
    assert first.of("192.0.2.1", clock.now) != first.of("192.0.2.1", clock.now + 31 * 86_400)


@for_each(
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
def test_any_text_is_accepted_as_an_address(address: str) -> None:
    assert network_of(address)
