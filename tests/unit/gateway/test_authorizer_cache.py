"""The authorizer is called once a minute for an allowed key, and at each call for a denied one."""

from __future__ import annotations

from typing import Any

import pytest

from brskills_server.gateway.authorizer_cache import AuthorizerCache
from tests.conftest import Clock

EVENT = {"httpMethod": "GET", "path": "/api/v1/usage", "headers": {}}
CONTEXT = {"account": "acc_1", "key": "digest"}


class Authorizer:
    """Allows a key until it is revoked."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.effect = "Allow"

    def __call__(self, event: dict[str, Any], _context: object) -> dict[str, Any]:
        self.asked.append(event)
        return {"policyDocument": {"Statement": [{"Effect": self.effect}]}, "context": CONTEXT}


@pytest.fixture
def authorizer() -> Authorizer:
    return Authorizer()


@pytest.fixture
def cache(authorizer: Authorizer, clock: Clock) -> AuthorizerCache:
    return AuthorizerCache(authorizer, 60, clock)


def test_an_allowed_key_is_asked_for_once_a_minute(
    cache: AuthorizerCache, authorizer: Authorizer, clock: Clock
) -> None:
    for now in (0, 1, 59.9):
        clock.now = now
        assert cache.context_of("brsk_a", EVENT) == CONTEXT
    assert len(authorizer.asked) == 1
    assert authorizer.asked[0]["methodArn"].endswith("/v1/GET/api/v1/usage")
    clock.now = 60
    cache.context_of("brsk_a", EVENT)
    assert len(authorizer.asked) == 2
    cache.context_of("brsk_b", EVENT)
    assert len(authorizer.asked) == 3


def test_a_denial_is_not_kept(cache: AuthorizerCache, authorizer: Authorizer, clock: Clock) -> None:
    authorizer.effect = "Deny"
    for n in range(1000):
        assert cache.context_of(f"bad{n}" * 100, EVENT) is None
    assert cache._allowed == {}
    authorizer.effect = "Allow"
    assert cache.context_of("bad1" * 100, EVENT) == CONTEXT
    authorizer.effect, clock.now = "Deny", clock.now + 60
    assert cache.context_of("bad1" * 100, EVENT) is None
    assert cache._allowed == {}


def test_no_raw_key_is_kept_and_memory_is_bounded(cache: AuthorizerCache, monkeypatch) -> None:
    monkeypatch.setattr("brskills_server.gateway.authorizer_cache._MAX_ENTRIES", 10)
    for n in range(25):
        cache.context_of(f"brsk_{n}\udcff", EVENT)
        assert len(cache._allowed) <= 10
    assert all(isinstance(name, bytes) and len(name) == 32 for name in cache._allowed)


def test_what_the_authorizer_raises_is_raised(clock: Clock) -> None:
    def fail(_event: object, _context: object) -> dict[str, Any]:
        raise RuntimeError("store")

    with pytest.raises(RuntimeError):
        AuthorizerCache(fail, 60, clock).context_of("brsk_a", EVENT)
