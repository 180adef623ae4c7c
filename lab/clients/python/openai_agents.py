"""OpenAI Agents: the server as its agents use it."""

from contextlib import asynccontextmanager

from agents.mcp import MCPServerStreamableHttp
from journey import connected, main


@asynccontextmanager
async def connect(url, headers):
    async with MCPServerStreamableHttp({"url": url, "headers": headers, "timeout": 30}) as server:
        yield connected(server)


main(connect)
