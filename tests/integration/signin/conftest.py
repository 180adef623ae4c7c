"""A program that is registered, and keys of accounts."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import httpx
import pytest

from tests.services.sign_in import WEB, Program


def new_key(http: httpx.Client) -> str:
    key: str = http.post("/api/v1/keys").json()["api_key"]
    return key


@pytest.fixture
def key(http: httpx.Client) -> str:
    """A key of an account without grants."""
    return new_key(http)


@pytest.fixture
def new_program(base: str) -> Iterator[Callable[..., Program]]:
    """What makes a program that is registered; all are closed at the end."""
    with ExitStack() as open_ones:

        def make(redirect: str = WEB, **metadata: Any) -> Program:
            found = open_ones.enter_context(Program(base, redirect))
            assert found.register(**metadata).status_code == 201
            return found

        yield make


@pytest.fixture
def program(new_program: Callable[..., Program]) -> Program:
    return new_program()
