"""The official Python SDK, second generation; the third argument chooses the revision."""

import sys
from contextlib import asynccontextmanager

from journey import GUIDE, PROMPT, SHOWS_CARDS, UI, Documents, connected, main
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.extension import advertise
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata
from mcp_types import PromptReference
from sign_in import METADATA, Kept

MODE = sys.argv[3]
SPOKEN = {"auto": "2026-07-28", "legacy": "2025-11-25"}[MODE]


@asynccontextmanager
async def connect(url, headers, person=None):
    async def callback():
        return AuthorizationCodeResult(**person.answer)

    auth = person and OAuthClientProvider(
        server_url=url,
        client_metadata=OAuthClientMetadata(**METADATA),
        storage=Kept(),
        redirect_handler=person.go,
        callback_handler=callback,
    )
    async with (
        create_mcp_http_client(headers=headers, auth=auth) as http,
        Client(
            streamable_http_client(url, http_client=http), mode=MODE, extensions=[advertise(UI, SHOWS_CARDS)]
        ) as client,
    ):
        assert client.session.protocol_version == SPOKEN
        found = connected(client)
        found.documents = lambda: read_documents(client)
        yield found


async def read_documents(client):
    resources = (await client.list_resources()).resources
    guide = (await client.read_resource(GUIDE)).contents
    prompts = (await client.list_prompts()).prompts
    typed = {"name": "municipio", "value": "são paulo"}
    completed = (await client.complete(PromptReference(name=PROMPT), typed)).completion.values
    filled_in = {"fornecedores": "Padaria", "municipio": completed[0]}
    prompt = (await client.get_prompt(PROMPT, filled_in)).messages
    tools = (await client.list_tools()).tools
    return Documents(
        {str(resource.uri) for resource in resources},
        guide[0].text,
        {prompt.name for prompt in prompts},
        completed,
        prompt[0].content.text,
        {tool.meta["ui"]["resourceUri"] for tool in tools if "ui" in tool.meta},
    )


main(connect)
