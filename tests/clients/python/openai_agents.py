"""OpenAI Agents: the server as its agents use it."""

from contextlib import asynccontextmanager

from agents.mcp import MCPServerStreamableHttp
from journey import Connected, main, reply_of


@asynccontextmanager
async def connect(url, headers):
    async with MCPServerStreamableHttp({"url": url, "headers": headers, "timeout": 30}) as server:

        async def names():
            return {tool.name for tool in await server.list_tools()}

        async def call(name, arguments):
            return reply_of(await server.call_tool(name, arguments))

        yield Connected(names, call)


main(connect)
