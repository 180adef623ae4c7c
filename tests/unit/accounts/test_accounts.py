import pytest

from brskills_server.accounts import api_key
from brskills_server.accounts.account import DEMO
from brskills_server.accounts.accounts import MAX_KEYS
from brskills_server.accounts.errors import DemoKey, InvalidKey, StoreUnavailable, TooManyKeys
from tests.conftest import DEMO_KEY


def identify(accounts, key):
    return accounts.identify(key)[0]


def test_a_new_key_opens_its_account(accounts) -> None:
    issued = accounts.open("free")
    caller, account = accounts.identify(issued.api_key)
    assert caller.account == account.id == issued.account
    assert (account.plan, account.monthly_limit) == ("free", 100)


def test_a_malformed_key_is_refused_without_the_store(accounts, monkeypatch) -> None:
    monkeypatch.setattr(accounts, "_store", None)
    key = api_key.generate()
    for bad in ("", "x", key[:-1], key + "0", key[:-1] + ("0" if key[-1] != "0" else "1")):
        with pytest.raises(InvalidKey):
            accounts.identify(bad)


def test_the_demo_key_needs_neither_form_nor_record(accounts, monkeypatch) -> None:
    monkeypatch.setattr(accounts, "_store", None)
    assert identify(accounts, DEMO_KEY).account == DEMO


def test_an_unknown_key_is_refused(accounts) -> None:
    with pytest.raises(InvalidKey):
        accounts.identify(api_key.generate())


def test_rotation_without_overlap_ends_the_old_key_at_once(accounts) -> None:
    old = accounts.open("free")
    new = accounts.rotate(identify(accounts, old.api_key), overlap=0)
    assert new.account == old.account
    with pytest.raises(InvalidKey):
        accounts.identify(old.api_key)
    assert identify(accounts, new.api_key).account == old.account


def test_rotation_with_overlap_keeps_both_keys_active_until_it_ends(accounts, clock) -> None:
    old = accounts.open("free")
    new = accounts.rotate(identify(accounts, old.api_key), overlap=60)
    clock.now += 59
    assert identify(accounts, old.api_key).account == identify(accounts, new.api_key).account
    clock.now += 1
    with pytest.raises(InvalidKey):
        accounts.identify(old.api_key)
    assert identify(accounts, new.api_key)


def test_an_ending_key_cannot_lengthen_its_life(accounts, clock) -> None:
    old = accounts.open("free")
    caller = identify(accounts, old.api_key)
    accounts.rotate(caller, overlap=60)
    accounts.rotate(caller, overlap=600_000)
    clock.now += 60
    with pytest.raises(InvalidKey):
        accounts.identify(old.api_key)


def test_usage_stays_with_the_account(accounts, ledger) -> None:
    old = accounts.open("free")
    caller = identify(accounts, old.api_key)
    ledger.reserve(caller)
    new = accounts.rotate(caller, overlap=0)
    assert ledger.reserve(identify(accounts, new.api_key)).quota.calls == 2


def test_active_keys_are_limited_and_expired_ones_forgotten(accounts, clock) -> None:
    key = accounts.open("free").api_key
    for _ in range(MAX_KEYS - 1):
        key = accounts.rotate(identify(accounts, key), overlap=600).api_key
    caller = identify(accounts, key)
    with pytest.raises(TooManyKeys):
        accounts.rotate(caller, overlap=600)
    clock.now += 600
    accounts.rotate(caller, overlap=600)
    assert len(accounts.get(caller.account).keys) == 2


def test_a_key_that_ends_between_look_and_write_is_refused(accounts, store, monkeypatch) -> None:
    caller = identify(accounts, accounts.open("free").api_key)
    before = accounts.get(caller.account)
    accounts.revoke(caller)
    for end in (lambda: accounts.rotate(caller, overlap=0), lambda: accounts.revoke(caller)):
        reads = [None, before]  # the first as it was, the next as it is
        monkeypatch.setattr(store, "read_account", lambda _, reads=reads: reads.pop())
        with pytest.raises(InvalidKey):
            end()


def test_a_rotation_that_others_overtake_looks_again(accounts, store, monkeypatch) -> None:
    caller = identify(accounts, accounts.open("free").api_key)
    rotate = store.rotate_key
    overtaken = []

    def slow(*of, **how) -> bool:
        if not overtaken:
            overtaken.append(True)
            for _ in range(MAX_KEYS - 1):
                accounts.rotate(caller, overlap=600)
        return rotate(*of, **how)

    monkeypatch.setattr(store, "rotate_key", slow)
    with pytest.raises(TooManyKeys):
        accounts.rotate(caller, overlap=600)
    assert len(accounts.get(caller.account).keys) == MAX_KEYS


def test_a_rotation_that_is_always_overtaken_ends(accounts, store, monkeypatch) -> None:
    caller = identify(accounts, accounts.open("free").api_key)
    monkeypatch.setattr(store, "rotate_key", lambda *of, **how: False)
    with pytest.raises(StoreUnavailable):
        accounts.rotate(caller, overlap=0)


def test_an_operators_additional_key_does_not_prevent_rotation(accounts, clock) -> None:
    key = accounts.open("free").api_key
    for _ in range(MAX_KEYS - 1):
        key = accounts.rotate(identify(accounts, key), overlap=600).api_key
    account = identify(accounts, key).account
    key = accounts.add_key(account).api_key
    with pytest.raises(TooManyKeys):
        accounts.rotate(identify(accounts, key), overlap=600)
    for _ in range(2):
        key = accounts.rotate(identify(accounts, key), overlap=0).api_key
    assert identify(accounts, key).account == account


def test_an_id_that_is_taken_is_not_given_to_a_second_account(accounts, monkeypatch) -> None:
    monkeypatch.setattr("brskills_server.accounts.accounts.secrets.token_hex", lambda _: "same")
    first = accounts.open("free")
    with pytest.raises(StoreUnavailable):
        accounts.open("pro")
    assert accounts.get("acc_same").plan == "free"
    assert identify(accounts, first.api_key)


def test_revoking_twice_is_refused(accounts) -> None:
    caller = identify(accounts, accounts.open("free").api_key)
    accounts.revoke(caller)
    with pytest.raises(InvalidKey):
        accounts.revoke(caller)


def test_the_demo_key_cannot_be_changed(accounts) -> None:
    caller = identify(accounts, DEMO_KEY)
    with pytest.raises(DemoKey):
        accounts.rotate(caller, overlap=0)
    with pytest.raises(DemoKey):
        accounts.revoke(caller)


def test_the_operator_can_give_a_new_key_and_end_all(accounts) -> None:
    lost = accounts.open("free")
    new = accounts.add_key(lost.account)
    assert identify(accounts, new.api_key).account == lost.account
    accounts.revoke_all(lost.account)
    for key in (lost.api_key, new.api_key):
        with pytest.raises(InvalidKey):
            accounts.identify(key)


def test_an_unknown_account_is_a_key_error(accounts) -> None:
    for call in (
        accounts.get,
        accounts.add_key,
        accounts.revoke_all,
        lambda name: accounts.set_plan(name, "pro"),
    ):
        with pytest.raises(KeyError):
            call("acc_nobody")
    assert list(accounts.all()) == []


def test_a_skill_is_granted_beside_others_and_taken_back_alone(accounts) -> None:
    account = accounts.open("free").account
    for skill in ("look_up_bank", "check_plate", "look_up_bank"):
        accounts.grant(account, skill)
    assert accounts.get(account).skills == {"look_up_bank", "check_plate"}
    for _ in range(2):
        accounts.withdraw(account, "check_plate")
        assert accounts.get(account).skills == {"look_up_bank"}
    for change in (accounts.grant, accounts.withdraw):
        with pytest.raises(KeyError):
            change("acc_unknown", "look_up_bank")
