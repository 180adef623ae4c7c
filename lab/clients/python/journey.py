"""What every client must manage: list without a key, learn how to get one, and use each tool with it.

A client hands over how it lists and how it calls; this file needs nothing but the standard library, for it
runs in the environment of each client in turn.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any

TOOLS = {
    *("check_pix_payee", "create_pix_code", "decode_pix_code", "get_usage", "list_changes"),
    *("list_watches", "look_up_companies", "look_up_company", "unwatch_company", "watch_companies"),
}
UI = "io.modelcontextprotocol/ui"
SHOWS_CARDS = {"mimeTypes": ["text/html;profile=mcp-app"]}
CARDS = {f"ui://brskills/{name}.html" for name in ("pix", "payee", "company")}
GUIDE = "skill://cobrar-por-pix/SKILL.md"
PROMPT = "acompanhar-fornecedores"
CODE = {"chave": "pix@exemplo.com.br", "valor": 10.0, "nome_recebedor": "Padaria", "cidade": "São Paulo"}


@dataclass
class Reply:
    """The result of a tool: its first text, the number of images, whether it is an error."""

    text: str
    images: int = 0
    error: bool = False

    @property
    def data(self) -> dict[str, Any]:
        return json.loads(self.text)


@dataclass
class Documents:
    """What a client reads without a key: ``prompt`` is ``PROMPT`` with the first of ``completed``.

    ``cards``: the addresses in the list of tools; ``None`` if the client cannot state ``UI``.
    """

    resources: set[str]
    guide: str
    prompts: set[str]
    completed: list[str]
    prompt: str
    cards: set[str] | None = None


@dataclass
class Connected:
    names: Callable[[], Awaitable[set[str]]]
    call: Callable[[str, dict[str, Any]], Awaitable[Reply]]
    documents: Callable[[], Awaitable[Documents]] | None = None


Connect = Callable[[str, dict[str, str]], AbstractAsyncContextManager[Connected]]


async def travel(connect: Connect, url: str, key: str) -> None:
    async with connect(url, {}) as stranger:
        assert await stranger.names() == TOOLS
        rejected = await stranger.call("get_usage", {})
        assert rejected.error
        assert "missing_api_key" in rejected.text
        assert "/api/v1/keys" in rejected.text
        if stranger.documents:
            check_documents(await stranger.documents())
    async with connect(url, {"X-API-Key": key}) as customer:
        code = await customer.call("create_pix_code", CODE)
        assert code.data["brcode"].startswith("000201"), code
        assert code.data["valor"] == "10.00"
        assert code.images == 1
        read = await customer.call("decode_pix_code", {"brcode": code.data["brcode"]})
        assert read.data["valido"]
        payee = await customer.call(
            "check_pix_payee", {"chave": "SANDBOX1000170", "nome_recebedor": "Exemplo"}
        )
        assert payee.data["recebedor"]["situacao_cadastral"]["codigo"] == "02"
        company = await customer.call("look_up_company", {"cnpj": "SANDBOX1000170"})
        assert company.data["situacao_cadastral"]["codigo"] == "02"
        wrong = await customer.call("create_pix_code", {**CODE, "valor": "10.001"})
        assert wrong.error
        assert "too_many_decimals" in wrong.text
        assert (await customer.call("get_usage", {})).data["chamadas"] >= 1
    async with connect(url, {"Authorization": f"Bearer {key}"}) as customer:
        assert (await customer.call("get_usage", {})).data["plano"] == "free"


def check_documents(found: Documents) -> None:
    assert GUIDE in found.resources
    assert found.cards in (None, CARDS)
    assert "create_pix_code" in found.guide
    assert PROMPT in found.prompts
    assert found.completed[0] == "3550308 SAO PAULO/SP"
    assert '"municipio": "3550308"' in found.prompt


def connected(client: Any, **options: Any) -> Connected:
    """Return the two functions of a client with the methods of the Python SDK; ``options``: of calls."""

    async def names() -> set[str]:
        listed = await client.list_tools()
        return {tool.name for tool in getattr(listed, "tools", listed)}

    async def call(name: str, arguments: dict[str, Any]) -> Reply:
        return reply_of(await client.call_tool(name, arguments, **options))

    return Connected(names, call)


def reply_of(result: Any) -> Reply:
    """Return the reply in a ``CallToolResult`` of either generation of the Python SDK."""
    texts = [part.text for part in result.content if part.type == "text"]
    images = sum(part.type == "image" for part in result.content)
    error = getattr(result, "is_error", None) or getattr(result, "isError", None) or False
    return Reply(texts[0], images, bool(error))


def main(connect: Connect) -> None:
    """``python <client>.py URL KEY …``: run the test; exit with 0 on success.

    With ``sign-in`` as its last argument ``connect`` gets a ``Person`` too, who agrees for the client.
    """
    from sign_in import sign_in  # which needs this module

    url, key = sys.argv[1:3]
    asyncio.run((sign_in if sys.argv[-1] == "sign-in" else travel)(connect, url, key))
