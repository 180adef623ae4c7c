"""What every client that speaks OAuth must manage: sign in where it is asked, and again when that ended.

``connect`` gets the server's address, headers of every request, and a ``Person`` that agrees for it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any
from urllib.request import Request, urlopen

from journey import CODE, TOOLS, Connected
from person import agree, answer_in

REDIRECT = "http://127.0.0.1/callback"
METADATA = {
    "client_name": "brskills-test",
    "redirect_uris": [REDIRECT],
    "grant_types": ["authorization_code", "refresh_token"],
    "response_types": ["code"],
    "token_endpoint_auth_method": "none",
}


@dataclass
class Person:
    """Agree with a key, and keep the parameters of the redirect."""

    key: str
    answer: dict[str, str] | None = None
    asked: int = 0

    async def go(self, address: str) -> None:
        """Agree at the page that a client opens."""
        self.asked += 1
        self.answer = answer_in(await asyncio.to_thread(agree, address, self.key))

    async def code_and_state(self) -> tuple[str, str]:
        assert self.answer
        return self.answer["code"], self.answer["state"]


class Kept:
    """A client's registration and tokens, in memory."""

    def __init__(self) -> None:
        self.tokens = self.client = None

    async def get_tokens(self) -> Any:
        return self.tokens

    async def set_tokens(self, tokens: Any) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> Any:
        return self.client

    async def set_client_info(self, client: Any) -> None:
        self.client = client


Connect = Callable[[str, dict[str, str], Person], AbstractAsyncContextManager[Connected]]


async def sign_in(connect: Connect, url: str, key: str) -> None:
    person = Person(key)
    async with connect(f"{url}/oauth", {}, person) as client:
        assert person.asked == 1, "asked at connection"
        assert await client.names() == TOOLS
        usage = await client.call("get_usage", {})
        assert usage.data["plano"] == "free", usage
        assert (await client.call("create_pix_code", CODE)).data["valor"] == "10.00"
        end_grants(url, key)
        assert (await client.call("get_usage", {})).data["plano"] == "free"
        assert person.asked == 2, "asked again when it was ended"
    end_grants(url, key)

    person = Person(key)
    async with connect(url, {"User-Agent": "Claude-User"}, person) as client:
        assert await client.names() == TOOLS
        assert person.asked == 0, "listing is open"
        assert (await client.call("get_usage", {})).data["plano"] == "free"
        assert person.asked == 1, "asked at the call"
    end_grants(url, key)

    person = Person(key)
    async with connect(url, {}, person) as client:
        rejected = await client.call("get_usage", {})
        assert rejected.error
        assert "/mcp/oauth" in rejected.text
        assert person.asked == 0, "not asked, for it is not known to sign in"


def end_grants(url: str, key: str) -> None:
    """End all grants of the key's account."""
    base = url.removesuffix("/mcp")
    for grant in _send(f"{base}/api/v1/grants", key)["acessos"]:
        _send(f"{base}/api/v1/grants/end", key, {"id": grant["id"]})


def _send(address: str, key: str, content: dict[str, str] | None = None) -> Any:
    headers = {"X-API-Key": key, "Content-Type": "application/json"}
    body = json.dumps(content).encode() if content else None
    with urlopen(Request(address, body, headers), timeout=30) as answer:
        return json.loads(answer.read() or "null")
