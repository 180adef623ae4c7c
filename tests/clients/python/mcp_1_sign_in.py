"""The official Python SDK, first generation, with its OAuth provider."""

from contextlib import asynccontextmanager

import httpx
from journey import Connected, reply_of
from mcp import ClientSession
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata
from sign_in import METADATA, Kept, main


@asynccontextmanager
async def connect(url, headers, person):
    async def callback():
        return person.answer["code"], person.answer["state"]

    provider = OAuthClientProvider(
        server_url=url,
        client_metadata=OAuthClientMetadata(**METADATA),
        storage=Kept(),
        redirect_handler=person.go,
        callback_handler=callback,
    )
    async with (
        httpx.AsyncClient(headers=headers, auth=provider, timeout=30) as http,
        streamable_http_client(url, http_client=http) as (read, write, _),
        ClientSession(read, write) as session,
    ):
        await session.initialize()

        async def names():
            return {tool.name for tool in (await session.list_tools()).tools}

        async def call(name, arguments):
            return reply_of(await session.call_tool(name, arguments))

        yield Connected(names, call)


main(connect)
