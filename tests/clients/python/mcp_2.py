"""The official Python SDK, second generation; the third argument chooses the revision."""

import sys
from contextlib import asynccontextmanager

from journey import Connected, main, reply_of
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

MODE = sys.argv[3]
SPOKEN = {"auto": "2026-07-28", "legacy": "2025-11-25"}[MODE]


@asynccontextmanager
async def connect(url, headers):
    async with (
        create_mcp_http_client(headers=headers) as http,
        Client(streamable_http_client(url, http_client=http), mode=MODE) as client,
    ):
        assert client.session.protocol_version == SPOKEN

        async def names():
            return {tool.name for tool in (await client.list_tools()).tools}

        async def call(name, arguments):
            return reply_of(await client.call_tool(name, arguments))

        yield Connected(names, call)


main(connect)
