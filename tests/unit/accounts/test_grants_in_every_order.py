"""Two concurrent uses of one grant in every interleaving of their operations, and faults at each."""

from collections.abc import Callable
from typing import Any

import pytest

from brskills_server.accounts.errors import InvalidToken, StoreUnavailable
from brskills_server.accounts.grant import CODE_SECONDS, Tokens
from tests.unit.accounts.granted import World, terms_of
from tests.unit.turns import Step, Stepping, interleavings, together

STEPS = 5
"""Reads of grant and account, writes of client and grant, and the end of a grant that was used meanwhile."""


@pytest.fixture
def world(store, clock) -> World:
    return World.new(store, clock)


def at_once(world: World, order: list[str], **actors: Callable[[Any], Any]) -> dict[str, Any]:
    """Return the results of concurrent actions, each over a store whose operations are steps."""

    def acting(who: str) -> Callable[[Step], tuple[str, Any]]:
        return lambda step: (
            who,
            world.attempt(lambda: actors[who](world.grants(Stepping(world.store, step)))),
        )

    return dict(together(order, {who: acting(who) for who in actors}))


def gave_tokens(outcomes: dict[str, Any]) -> list[Tokens]:
    return [outcome for outcome in outcomes.values() if isinstance(outcome, Tokens)]


@pytest.mark.parametrize("kind", ["code", "refresh token"])
def test_of_two_concurrent_uses_of_one_code_or_token_no_access_remains(world, kind) -> None:
    for order in interleavings(["one"] * STEPS, ["two"] * STEPS):
        secret = world.code() if kind == "code" else world.sign_in().refresh_token
        use = world.redeem if kind == "code" else world.refresh
        action = lambda grants, secret=secret, use=use: use(secret, grants)  # noqa: E731
        outcomes = at_once(world, order, one=action, two=action)
        (issued,) = gave_tokens(outcomes)
        assert None in outcomes.values(), order
        assert world.kept(issued.grant.id) is None, order
        assert not world.works(issued), order


@pytest.mark.parametrize("by", ["code", "owner", "client"])
def test_a_grant_that_ends_during_a_refresh_stays_ended(world, by) -> None:
    def end(grants: Any, code: str, issued: Tokens) -> None:
        if by == "code":  # used again
            assert world.redeem(code, grants) is None
        elif by == "owner":
            grants.end(world.caller.account, issued.grant.id)
        else:
            grants.revoke(issued.access_token, world.client.id)

    for order in interleavings(["refresh"] * STEPS, ["end"] * 2):
        code = world.code()
        first = world.redeem(code)
        outcomes = at_once(
            world,
            order,
            refresh=lambda grants, token=first.refresh_token: world.refresh(token, grants),
            end=lambda grants, code=code, issued=first: end(grants, code, issued),
        )
        assert outcomes["end"] is None, order
        assert world.kept(first.grant.id) is None, order
        assert not any(map(world.works, [first, *gave_tokens(outcomes)])), order


def test_calls_under_way_do_not_fail_while_tokens_are_refreshed(world) -> None:
    for order in interleavings(["refresh"] * STEPS, ["call"] * 3):
        first = world.sign_in()

        def call(grants: Any, issued: Tokens = first) -> str:
            caller, grant = grants.identify(issued.access_token)
            grants.count(grant, "2026-11", 1)
            return caller.account

        outcomes = at_once(
            world,
            order,
            refresh=lambda grants, token=first.refresh_token: world.refresh(token, grants),
            call=call,
        )
        assert outcomes["call"] == world.caller.account, order
        assert world.works(outcomes["refresh"]), order
        assert world.kept(first.grant.id).calls == {"2026-11": 1}, order
        world.grants().end(world.caller.account, first.grant.id)


def test_a_key_that_is_revoked_meanwhile_leaves_no_access(store, clock) -> None:
    for order in interleavings(["redeem"] * 4, ["revoke"]):
        world = World.new(store, clock)
        code = world.code()
        outcomes = at_once(
            world,
            order,
            redeem=lambda grants, world=world, code=code: world.redeem(code, grants),
            revoke=lambda grants, world=world: grants._store.revoke_key(
                world.caller.account, world.caller.key, int(world.clock())
            ),
        )
        assert outcomes["revoke"] is True, order
        assert not any(map(world.works, gave_tokens(outcomes))), order


# ---- faults ----


class Death(BaseException):
    """The worker has crashed."""


class Failing:
    """A store whose ``at``-th operation fails before or after it is applied, or crashes the worker."""

    def __init__(self, store: Any, at: int, fault: str) -> None:
        self._store = store
        self._left = at
        self._fault = fault

    def __getattr__(self, operation: str) -> Callable[..., Any]:
        return lambda *of: self._do(getattr(self._store, operation), *of)

    def _do(self, operation: Callable[..., Any], *of: Any) -> Any:
        self._left -= 1
        if self._left != 0:
            return operation(*of)
        if self._fault.endswith("after"):
            operation(*of)
        raise Death if self._fault.startswith("death") else StoreUnavailable(self._fault)


FAULTS = ("before", "after", "death before", "death after")
OPERATIONS = range(1, STEPS + 2)  # one more: nothing fails


def tried(world: World, at: int, fault: str, action: Callable[[Any], Any]) -> Any:
    """Return the result of an action over a failing store, or the class of its exception."""
    try:
        return world.attempt(lambda: action(world.grants(Failing(world.store, at, fault))))
    except Death:
        return Death


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("at", OPERATIONS)
@pytest.mark.parametrize("kind", ["code", "refresh token"])
def test_after_any_fault_there_are_working_tokens_or_none_at_all(world, kind, at, fault) -> None:
    """Returned tokens work; without any, the next attempt gets some or the user signs in again."""
    shown = world.code() if kind == "code" else world.sign_in().refresh_token
    use = world.redeem if kind == "code" else world.refresh
    outcome = tried(world, at, fault, lambda grants: use(shown, grants))
    if isinstance(outcome, Tokens):
        assert world.works(outcome)
        assert world.works(world.refresh(outcome.refresh_token))
        return
    assert outcome in (StoreUnavailable, Death)
    again = use(shown)
    if again is None:  # it was used: by whom, nobody knows
        assert (fault, at) == ("death after", 4)
        assert world.listed() == []
    else:
        assert world.works(again)


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("at", OPERATIONS)
def test_a_used_token_ends_its_family_as_soon_as_the_store_answers(world, at, fault) -> None:
    first = world.sign_in()
    latest = world.refresh(first.refresh_token)
    tried(world, at, fault, lambda grants: world.refresh(first.refresh_token, grants))
    assert world.refresh(first.refresh_token) is None
    assert not world.works(latest)


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("at", OPERATIONS)
def test_no_fault_gives_access(world, at, fault) -> None:
    issued = world.sign_in()
    world.accounts.revoke(world.caller)
    outcome = tried(world, at, fault, lambda grants: grants.identify(issued.access_token))
    assert outcome in (InvalidToken, StoreUnavailable, Death)


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("at", OPERATIONS)
def test_a_grant_that_failed_to_open_takes_no_room_after_a_minute(world, clock, at, fault) -> None:
    tried(world, at, fault, lambda grants: grants.open(world.caller, terms_of(world.client)))
    clock.now += CODE_SECONDS
    assert world.store.grants_of(world.caller.account, int(clock())) == []
    assert world.works(world.sign_in())
