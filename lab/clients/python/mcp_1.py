"""The official Python SDK, first generation, which most frameworks still build on."""

from contextlib import asynccontextmanager

import httpx
from journey import GUIDE, PROMPT, Documents, connected, main
from mcp import ClientSession
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata
from mcp.types import PromptReference
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
        found = connected(session)
        found.documents = lambda: read_documents(session)
        yield found


async def read_documents(session):
    resources = (await session.list_resources()).resources
    guide = (await session.read_resource(GUIDE)).contents
    prompts = (await session.list_prompts()).prompts
    reference = PromptReference(type="ref/prompt", name=PROMPT)
    typed = {"name": "municipio", "value": "são paulo"}
    completed = (await session.complete(reference, typed)).completion.values
    filled_in = {"fornecedores": "Padaria", "municipio": completed[0]}
    prompt = (await session.get_prompt(PROMPT, filled_in)).messages
    return Documents(
        {str(resource.uri) for resource in resources},
        guide[0].text,
        {prompt.name for prompt in prompts},
        completed,
        prompt[0].content.text,
    )


main(connect)
