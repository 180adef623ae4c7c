"""FastMCP's client."""

from contextlib import asynccontextmanager

from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport
from journey import Connected, main, reply_of


@asynccontextmanager
async def connect(url, headers):
    async with Client(StreamableHttpTransport(url, headers=headers)) as client:

        async def names():
            return {tool.name for tool in await client.list_tools()}

        async def call(name, arguments):
            return reply_of(await client.call_tool(name, arguments, raise_on_error=False))

        yield Connected(names, call)


main(connect)
