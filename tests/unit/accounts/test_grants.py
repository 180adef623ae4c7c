"""Signing in: codes, access tokens, refresh tokens, and what ends them."""

import json
from dataclasses import asdict

import pytest

from brskills_server.accounts import tokens
from brskills_server.accounts.account import DEMO, Caller
from brskills_server.accounts.errors import DemoKey, InvalidKey, InvalidToken, TooManyGrants
from brskills_server.accounts.grant import ACCESS_SECONDS, CODE_SECONDS, REFRESH_SECONDS
from brskills_server.accounts.grants import MAX_GRANTS
from brskills_server.adapters import memory
from tests.services.store import Destination
from tests.unit.accounts.granted import World, terms_of


@pytest.fixture
def world(store, clock) -> World:
    return World.new(store, clock)


def secrets_of(*texts: str) -> list[str]:
    """Return the secret parts of codes and tokens."""
    forms = (tokens.CODE, tokens.ACCESS, tokens.REFRESH)
    return [
        part for text in texts for form in forms for part in (tokens.read(form, text) or ("",))[1:] if part
    ]


# ---- codes ----


def test_a_code_gives_tokens_for_its_terms(world, clock) -> None:
    issued = world.sign_in()
    assert issued.expires_in == ACCESS_SECONDS
    caller, grant = world.grants().identify(issued.access_token)
    assert caller == world.caller
    assert grant == issued.grant == world.kept(grant.id)
    terms = terms_of(world.client)
    assert (grant.account, grant.client, grant.client_name) == (
        world.caller.account,
        world.client.id,
        "Assistente",
    )
    assert (grant.scopes, grant.resource, grant.redirect_uri, grant.challenge) == terms[1:]
    assert (grant.created_at, grant.used_at) == (int(clock()), int(clock()))


def test_a_code_lives_a_minute(world, clock) -> None:
    codes = [world.code() for _ in range(2)]
    clock.now += CODE_SECONDS - 1
    assert world.works(world.redeem(codes[0]))
    clock.now += 1
    assert world.grants().find_code(codes[1]) is None


@pytest.mark.parametrize("later", [0, CODE_SECONDS, REFRESH_SECONDS - 1])
def test_a_code_used_again_ends_its_grant(world, clock, later) -> None:
    code = world.code()
    issued = world.redeem(code)
    clock.now += later
    assert world.grants().find_code(code) is None
    assert world.kept(issued.grant.id) is None
    assert not world.works(issued)
    assert world.refresh(issued.refresh_token) is None


def test_a_code_with_another_secret_does_nothing(world) -> None:
    code = world.code()
    name, _ = tokens.read(tokens.CODE, code)
    forged = tokens.write(tokens.CODE, name, tokens.new_secret())
    assert world.grants().find_code(forged) is None
    issued = world.redeem(code)
    assert world.grants().find_code(forged) is None
    assert world.works(issued)


# ---- who may grant, and how much ----


def test_the_demo_key_and_ended_keys_grant_nothing(world) -> None:
    with pytest.raises(DemoKey):
        world.grants().open(Caller(DEMO, "digest", "address"), terms_of(world.client))
    world.accounts.revoke(world.caller)
    with pytest.raises(InvalidKey):
        world.code()


def test_an_account_has_fifty_grants_and_room_again_when_one_ends(world, clock) -> None:
    issued = [world.sign_in() for _ in range(MAX_GRANTS)]
    with pytest.raises(TooManyGrants):
        world.code()
    assert all(world.works(each) for each in issued)
    assert world.grants().end(world.caller.account, issued[0].grant.id)
    world.code()  # which nobody redeems
    with pytest.raises(TooManyGrants):
        world.code()
    clock.now += CODE_SECONDS
    assert world.code()


def test_grants_of_ended_keys_take_no_room(world) -> None:
    for _ in range(MAX_GRANTS):
        world.sign_in()
    world.caller, _ = world.accounts.identify(world.accounts.rotate(world.caller, overlap=0).api_key)
    issued = [world.sign_in() for _ in range(MAX_GRANTS)]
    with pytest.raises(TooManyGrants):
        world.code()
    assert all(world.works(each) for each in issued)


# ---- access tokens ----


def test_an_access_token_lives_an_hour(world, clock) -> None:
    issued = world.sign_in()
    clock.now += ACCESS_SECONDS - 1
    assert world.works(issued)
    clock.now += 1
    assert not world.works(issued)
    assert world.works(world.refresh(issued.refresh_token))


def test_the_former_access_token_lives_on_for_its_own_hour_and_no_older_one(world, clock) -> None:
    first = world.sign_in()
    clock.now += ACCESS_SECONDS - 10
    second = world.refresh(first.refresh_token)
    clock.now += 9
    assert (world.works(first), world.works(second)) == (True, True)
    third = world.refresh(second.refresh_token)
    assert [world.works(each) for each in (first, second, third)] == [False, True, True]
    clock.now += ACCESS_SECONDS - 9
    assert [world.works(each) for each in (first, second, third)] == [False, False, True]


@pytest.mark.parametrize("form", [tokens.CODE, tokens.ACCESS, tokens.REFRESH])
def test_nothing_but_an_access_token_gives_access(world, form) -> None:
    code = world.code()
    issued = world.redeem(code)
    name, *secrets = tokens.read(tokens.REFRESH, issued.refresh_token)
    shown = [code, issued.refresh_token, world.key, "", "brsk_at_", issued.access_token + "\n"]
    shown += [tokens.write(tokens.ACCESS, name, secret) for secret in (*secrets, *secrets_of(code))]
    shown += [tokens.write(form, "0" * 16, "0" * 32)]
    for text in shown:
        with pytest.raises(InvalidToken):
            world.grants().identify(text)
    assert world.works(issued)


def test_malformed_tokens_are_rejected_without_the_store(world) -> None:
    grants = world.grants(store=object())
    for text in ("", "brsk_at_x", "brsk_rt_" + "0" * 86, world.key):
        assert grants.find_code(text) is None
        assert grants.find_refresh(text) is None
        grants.revoke(text, world.client.id)
        with pytest.raises(InvalidToken):
            grants.identify(text)


# ---- refresh tokens ----


def test_a_refresh_token_lives_thirty_days_unused(world, clock) -> None:
    issued = world.sign_in()
    for _ in range(3):
        clock.now += REFRESH_SECONDS - 1
        issued = world.refresh(issued.refresh_token)
        assert world.works(issued)
        assert world.kept(issued.grant.id).used_at == int(clock())
    clock.now += REFRESH_SECONDS
    assert world.refresh(issued.refresh_token) is None
    assert world.listed() == []


@pytest.mark.parametrize("between", [0, 1, 5])
def test_a_used_refresh_token_ends_its_family(world, between) -> None:
    first = latest = world.sign_in()
    for _ in range(between + 1):
        latest = world.refresh(latest.refresh_token)
    assert world.works(latest)
    assert world.refresh(first.refresh_token) is None
    assert world.kept(first.grant.id) is None
    assert not world.works(latest)
    assert world.refresh(latest.refresh_token) is None


def test_of_another_family_a_refresh_token_does_nothing(world) -> None:
    issued, other = world.sign_in(), world.sign_in()
    name, family, turn = tokens.read(tokens.REFRESH, issued.refresh_token)
    _, *others = tokens.read(tokens.REFRESH, other.refresh_token)
    for secrets in (("0" * 32, turn), (turn, family), others, (others[0], turn)):
        assert world.refresh(tokens.write(tokens.REFRESH, name, *secrets)) is None
    assert world.works(issued)
    assert world.works(world.refresh(issued.refresh_token))


def test_a_grant_is_refreshed_by_its_own_token_alone(world) -> None:
    issued, other = world.sign_in(), world.sign_in()
    grant = world.grants().find_refresh(issued.refresh_token)
    for text in (other.refresh_token, issued.access_token, ""):
        with pytest.raises(ValueError, match="not a refresh token of this grant"):
            world.grants().refresh(grant, text)
    assert world.works(issued)


# ---- the key ----


def test_tokens_die_with_the_key(world) -> None:
    code, issued, other = world.code(), world.sign_in(), world.sign_in()
    world.accounts.revoke(world.caller)
    assert not world.works(issued)
    assert world.listed() == []
    assert world.redeem(code) is None
    assert world.refresh(issued.refresh_token) is None
    assert world.kept(issued.grant.id) is None  # ended when it was seen
    assert world.kept(other.grant.id) is not None


def test_tokens_live_as_long_as_the_overlap_of_a_rotated_key(world, clock) -> None:
    issued = world.sign_in()
    world.accounts.rotate(world.caller, overlap=60)
    clock.now += 59
    assert world.works(issued)
    assert len(world.listed()) == 1
    clock.now += 1
    assert not world.works(issued)
    assert world.listed() == []


# ---- ending ----


@pytest.mark.parametrize("which", ["access_token", "refresh_token"])
@pytest.mark.parametrize("refreshed", [False, True])
def test_a_client_ends_its_grant_by_either_token_of_the_last_two(world, which, refreshed) -> None:
    issued = world.sign_in()
    latest = world.refresh(issued.refresh_token) if refreshed else issued
    assert not world.grants().revoke(getattr(issued, which), "brsk_cl_another")
    assert world.works(latest)
    assert world.grants().revoke(getattr(issued, which), world.client.id)
    assert not world.works(latest)
    assert world.kept(issued.grant.id) is None


def test_other_tokens_do_not_revoke_a_grant(world) -> None:
    code = world.code()
    issued = world.redeem(code)
    name, *_ = tokens.read(tokens.REFRESH, issued.refresh_token)
    secrets = tokens.new_secret(), tokens.new_secret()
    forged = [tokens.write(tokens.ACCESS, name, secrets[0]), tokens.write(tokens.REFRESH, name, *secrets)]
    for text in (code, "", world.key, *forged):
        assert world.grants().revoke(text, world.client.id)
    assert world.works(issued)


def test_the_owner_sees_and_ends_grants(world, clock) -> None:
    first = world.sign_in()
    clock.now += 1
    second = world.sign_in()
    world.code()  # not redeemed: nobody may do anything yet
    assert [grant.id for grant in world.listed()] == [second.grant.id, first.grant.id]
    stranger = World.new(world.store, clock)
    assert not world.grants().end(stranger.caller.account, first.grant.id)
    assert world.works(first)
    assert world.grants().end(world.caller.account, first.grant.id)
    assert not world.grants().end(world.caller.account, first.grant.id)
    assert (world.works(first), world.works(second)) == (False, True)
    assert world.listed() == [second.grant]
    assert stranger.listed() == []


@pytest.mark.parametrize("name", ["", "\0" * 16, "é" * 16, "a" * 15, "a" * 17, "a" * 16 + "\n"])
def test_malformed_ids_are_rejected_without_the_store(world, name) -> None:
    assert not world.grants(store=object()).end(world.caller.account, name)


# ---- how often ----


def test_calls_are_listed_by_client_and_month(world, clock) -> None:
    issued, other = world.sign_in(), world.sign_in()
    world.grants().count(issued.grant, "2026-11", 2)
    world.grants().count(issued.grant, "2026-11", 1)
    clock.now += 20 * 24 * 3600
    world.grants().count(issued.grant, "2026-12", 5)
    listed = {grant.id: grant for grant in world.listed()}
    assert listed[issued.grant.id].calls == {"2026-11": 3, "2026-12": 5}
    assert listed[issued.grant.id].used_at == int(clock())
    assert listed[other.grant.id].calls == {}
    assert world.accounts.get(world.caller.account).calls == {}  # not what is billed
    world.grants().end(world.caller.account, issued.grant.id)
    world.grants().count(issued.grant, "2026-12", 1)
    assert world.kept(issued.grant.id) is None


# ---- what is stored ----


def test_only_hashes_of_codes_and_tokens_are_stored(world) -> None:
    stores = memory.open_stores(Destination("memory"))
    world = World.new(stores.access, world.clock)
    code = world.code()
    first = world.redeem(code)
    second = world.refresh(first.refresh_token)
    kept = [asdict(record) for record in stores.open_maintenance().records()]
    assert any(asdict(second.grant) in record.get("grants", ()) for record in kept)
    everything = json.dumps(kept, default=str)
    texts = [code, first.access_token, first.refresh_token, second.access_token, second.refresh_token]
    assert len(secrets_of(*texts)) == 7
    assert not [secret for secret in secrets_of(*texts) if secret in everything]
    assert world.key not in everything


def test_tokens_are_not_printed(world) -> None:
    issued = world.sign_in()
    shown = f"{issued!r} {issued} {issued.grant}"
    assert not [secret for secret in secrets_of(issued.access_token, issued.refresh_token) if secret in shown]
