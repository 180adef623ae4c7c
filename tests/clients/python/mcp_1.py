"""The official Python SDK, first generation, which most frameworks still build on."""

from contextlib import asynccontextmanager

import httpx
from journey import Connected, main, reply_of
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client


@asynccontextmanager
async def connect(url, headers):
    async with (
        httpx.AsyncClient(headers=headers, timeout=30) as http,
        streamable_http_client(url, http_client=http) as (read, write, _),
        ClientSession(read, write) as session,
    ):
        assert (await session.initialize()).protocolVersion == "2025-11-25"

        async def names():
            return {tool.name for tool in (await session.list_tools()).tools}

        async def call(name, arguments):
            return reply_of(await session.call_tool(name, arguments))

        yield Connected(names, call)


main(connect)
