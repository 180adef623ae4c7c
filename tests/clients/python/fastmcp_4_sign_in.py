"""FastMCP's client, which opens a browser itself and waits on loopback for what comes back."""

import asyncio
import webbrowser
from contextlib import asynccontextmanager

from fastmcp import Client
from fastmcp.client.auth import OAuth
from fastmcp.client.transports import StreamableHttpTransport
from journey import Connected, reply_of
from person import agree, visit
from sign_in import main


@asynccontextmanager
async def connect(url, headers, person):
    going = set()

    def browse(address):
        async def go():
            person.asked += 1
            await asyncio.sleep(0.5)  # until it listens
            await asyncio.to_thread(lambda: visit(agree(address, person.key)))

        going.add(asyncio.ensure_future(go()))
        return True

    webbrowser.open = browse
    async with Client(StreamableHttpTransport(url, headers=headers, auth=OAuth())) as client:

        async def names():
            return {tool.name for tool in await client.list_tools()}

        async def call(name, arguments):
            return reply_of(await client.call_tool(name, arguments, raise_on_error=False))

        yield Connected(names, call)


main(connect)
