"""Lists the tools that have cards and reads the documents that a host of MCP Apps shows with their answers.

pip install "mcp>=2"; BRSKILLS_URL and BRSKILLS_API_KEY choose the service and the key.
"""

import asyncio
import os

import httpx2
from mcp import Client
from mcp.client.extension import advertise
from mcp.client.streamable_http import streamable_http_client

BASE = os.environ.get("BRSKILLS_URL", "http://127.0.0.1:8000")
KEY = os.environ.get("BRSKILLS_API_KEY", "brsk_demo00000000000000000000000000001gbZMd")
CARDS = advertise("io.modelcontextprotocol/ui", {"mimeTypes": ["text/html;profile=mcp-app"]})


async def main() -> None:
    """Print each tool with a card, and a company."""
    async with (
        httpx2.AsyncClient(headers={"X-API-Key": KEY}) as http,
        Client(streamable_http_client(f"{BASE}/mcp", http_client=http), extensions=[CARDS]) as client,
    ):
        for tool in (await client.list_tools()).tools:
            if card := tool.meta.get("ui"):
                (document,) = (await client.read_resource(card["resourceUri"])).contents
                print(f"{tool.name}: {card['resourceUri']}, {len(document.text):,} characters")
        result = await client.call_tool("look_up_company", {"cnpj": "SANDBOX1000170"})
        print(result.structured_content["razao_social"])  # a host passes the whole result to the card


asyncio.run(main())
