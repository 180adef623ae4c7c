"""The official Python SDK, second generation, with its OAuth provider; the third argument is the revision."""

import sys
from contextlib import asynccontextmanager

from journey import Connected, reply_of
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata
from sign_in import METADATA, Kept, main

MODE = sys.argv[3]


@asynccontextmanager
async def connect(url, headers, person):
    async def callback():
        return AuthorizationCodeResult(**person.answer)

    provider = OAuthClientProvider(
        server_url=url,
        client_metadata=OAuthClientMetadata(**METADATA),
        storage=Kept(),
        redirect_handler=person.go,
        callback_handler=callback,
    )
    async with (
        create_mcp_http_client(headers=headers, auth=provider) as http,
        Client(streamable_http_client(url, http_client=http), mode=MODE) as client,
    ):

        async def names():
            return {tool.name for tool in (await client.list_tools()).tools}

        async def call(name, arguments):
            return reply_of(await client.call_tool(name, arguments))

        yield Connected(names, call)


main(connect)
