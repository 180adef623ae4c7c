"""The official Python SDK, first generation, which most frameworks still build on."""

from contextlib import asynccontextmanager

import httpx
from journey import connected, main
from mcp import ClientSession
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata
from sign_in import METADATA, Kept


@asynccontextmanager
async def connect(url, headers, person=None):
    auth = person and OAuthClientProvider(
        server_url=url,
        client_metadata=OAuthClientMetadata(**METADATA),
        storage=Kept(),
        redirect_handler=person.go,
        callback_handler=person.code_and_state,
    )
    async with (
        httpx.AsyncClient(headers=headers, auth=auth, timeout=30) as http,
        streamable_http_client(url, http_client=http) as (read, write, _),
        ClientSession(read, write) as session,
    ):
        assert (await session.initialize()).protocolVersion == "2025-11-25"
        yield connected(session)


main(connect)
