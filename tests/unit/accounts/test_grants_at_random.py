"""Whatever is shown, ended and awaited in whatever order, the rules say the same as this model of them."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import settings
from hypothesis import strategies as some
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, precondition, rule

from brskills_server.accounts.account import Caller
from brskills_server.accounts.grant import ACCESS_SECONDS, CODE_SECONDS, REFRESH_SECONDS, Tokens
from tests.conftest import Clock
from tests.services.store import in_memory
from tests.unit.accounts.granted import World

STORE = in_memory()

numbers = some.integers(0, 5)
moments = some.sampled_from(
    [1, CODE_SECONDS - 1, CODE_SECONDS, ACCESS_SECONDS // 2, ACCESS_SECONDS, REFRESH_SECONDS // 2]
)


@dataclass(eq=False)
class Model:
    """A grant as it should be: whose it is, its code, the tokens given for it with their times, its end."""

    world: World
    caller: Caller
    code: str
    ends: float
    given: list[tuple[Tokens, float]] = field(default_factory=list)

    @property
    def is_alive(self) -> bool:
        """Whether anything of it may be used: a person has one key, and rotates it without overlap."""
        return self.world.clock.now < self.ends and self.caller == self.world.caller

    def expect(self, issued: Tokens | None, may_be_used: bool) -> None:
        """Tokens are given where they should be; where not, the grant has ended."""
        now = self.world.clock.now
        assert (issued is not None) == may_be_used
        if issued is None:
            self.ends = min(self.ends, now)
        else:
            self.given.append((issued, now))
            self.ends = now + REFRESH_SECONDS

    def accepts(self, tokens: Tokens) -> bool:
        """The last two access tokens, each for its hour."""
        since = {each.access_token: since for each, since in self.given[-2:]}.get(tokens.access_token)
        return self.is_alive and since is not None and self.world.clock.now < since + ACCESS_SECONDS

    def pick(self, number: int) -> Tokens | None:
        """Some tokens that were given, the latest for 0."""
        return self.given[-1 - number % len(self.given)][0] if self.given else None


class SigningIn(RuleBasedStateMachine):
    """Two people and what they granted; anything may be shown at any time, by whomever."""

    grants = Bundle("grants")

    def __init__(self) -> None:
        super().__init__()
        self.clock = Clock()
        self.worlds = [World.new(STORE, self.clock) for _ in range(2)]
        self.models: list[Model] = []

    @rule(target=grants, who=some.integers(0, 1))
    def agree(self, who: int) -> Model:
        """A person grants a client something."""
        world = self.worlds[who]
        self.models.append(Model(world, world.caller, world.code(), self.clock.now + CODE_SECONDS))
        return self.models[-1]

    @rule(model=grants)
    def show_code(self, model: Model) -> None:
        """At the token endpoint."""
        may_be_used = model.is_alive and not model.given
        model.expect(model.world.redeem(model.code), may_be_used)

    @rule(model=grants, number=numbers)
    def show_refresh_token(self, model: Model, number: int) -> None:
        """At the token endpoint."""
        if tokens := model.pick(number):
            may_be_used = model.is_alive and tokens is model.pick(0)
            model.expect(model.world.refresh(tokens.refresh_token), may_be_used)

    @rule(model=grants, number=numbers, which=some.sampled_from(["access_token", "refresh_token"]))
    def revoke(self, model: Model, number: int, which: str) -> None:
        """By its client."""
        if tokens := model.pick(number):
            model.world.grants().revoke(getattr(tokens, which), model.world.client.id)
            if which == "refresh_token" or tokens in [each for each, _ in model.given[-2:]]:
                model.ends = min(model.ends, self.clock.now)

    @rule(model=grants, number=numbers, which=some.sampled_from(["access_token", "refresh_token"]))
    def revoke_by_another_client(self, model: Model, number: int, which: str) -> None:
        """Nothing comes of that."""
        if tokens := model.pick(number):
            model.world.grants().revoke(getattr(tokens, which), "another client")

    @rule(model=grants, who=some.integers(0, 1))
    def end(self, model: Model, who: int) -> None:
        """By its owner, or by the other person."""
        if tokens := model.pick(0):
            owner = self.worlds[who]
            ended = owner.grants().end(owner.caller.account, tokens.grant.id)
            if owner is model.world:
                model.ends = min(model.ends, self.clock.now)
            else:
                assert not ended

    @rule(seconds=moments)
    def wait(self, seconds: int) -> None:
        """Time passes."""
        self.clock.now += seconds

    @precondition(lambda self: any(model.is_alive for model in self.models))
    @rule(who=some.integers(0, 1))
    def change_key(self, who: int) -> None:
        """What was granted by the old one has ended."""
        world = self.worlds[who]
        world.caller, _ = world.accounts.identify(world.accounts.rotate(world.caller, overlap=0).api_key)

    @invariant()
    def every_access_token_works_or_not_as_it_should(self) -> None:
        for model in self.models:
            for tokens, _ in model.given:
                assert model.world.works(tokens) == model.accepts(tokens)

    @invariant()
    def the_owner_sees_what_may_be_used(self) -> None:
        for world in self.worlds:
            of_world = [model for model in self.models if model.world is world and model.given]
            expected = {model.given[0][0].grant.id for model in of_world if model.is_alive}
            assert {grant.id for grant in world.listed()} == expected


TestSigningIn = SigningIn.TestCase
TestSigningIn.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)
