"""FastMCP's client; to sign in it opens a browser itself and waits on loopback for the redirect."""

import asyncio
import webbrowser
from contextlib import asynccontextmanager

from fastmcp import Client
from fastmcp.client.auth import OAuth
from fastmcp.client.transports import StreamableHttpTransport
from journey import connected, main
from person import agree, visit


@asynccontextmanager
async def connect(url, headers, person=None):
    going = set()

    def browse(address):
        async def go():
            person.asked += 1
            await asyncio.sleep(0.5)  # until it listens
            await asyncio.to_thread(lambda: visit(agree(address, person.key)))

        going.add(asyncio.ensure_future(go()))
        return True

    webbrowser.open = browse
    auth = person and OAuth()
    async with Client(StreamableHttpTransport(url, headers=headers, auth=auth)) as client:
        yield connected(client, raise_on_error=False)


main(connect)
