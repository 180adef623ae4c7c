"""Deliveries a second to quick receivers: ``python -m lab.bench.deliveries [postgresql]``.

One deliverer, and receivers in another process, each of another account and host.
"""

import asyncio
import multiprocessing
import sys
import tempfile
import time
from contextlib import ExitStack
from multiprocessing.synchronize import Event

from brskills_server.accounts.account import Account
from brskills_server.adapters.stores import AccessStore
from brskills_server.gateway.deliveries import Deliveries
from brskills_server.outbound.public_network import Network
from brskills_server.webhooks.deliverer import Deliverer
from brskills_server.webhooks.event import webhook_test
from brskills_server.webhooks.poster import Poster
from brskills_server.webhooks.webhook import EVENT_TYPES, Secret, Webhook
from lab.bench.figure import Figure
from tests.integration.adapters.sql.databases import open_at
from tests.services.gateway import free_port
from tests.services.postgres import postgres

ACCOUNTS, EVENTS = 50, 100
SECRET = Secret("whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=")
YEAR = 366 * 86_400


def measure(store: str = "sqlite") -> dict[str, Figure]:
    """Add events, and print how long they took to be delivered."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        is_remote = store == "postgresql"
        address = stack.enter_context(postgres()).url if is_remote else f"sqlite:///{folder}/bench.db"
        port, ready = free_port(), multiprocessing.Event()
        process = multiprocessing.Process(target=_receive, args=(port, ready), daemon=True)
        process.start()
        ready.wait()
        stores = open_at(address, seconds=30)
        stores.open_maintenance().prepare()
        _add(stores.access, port)
        noted: list[str] = []
        deliveries = Deliveries(
            Deliverer(stores.access, Poster("bench", Network(allow_loopback=True)), noted.append)
        )
        began = time.monotonic()
        deliveries.start()
        while len(noted) < ACCOUNTS * EVENTS:
            time.sleep(0.01)
        took = time.monotonic() - began
        deliveries.stop()
        process.terminate()
        process.join()
    print(f"{store}: {len(noted)} {set(noted)} in {took:.1f} s, {len(noted) / took:.0f} a second")
    return {f"{store}, deliveries": Figure(len(noted) / took, "1/s")}


def _add(store: AccessStore, port: int) -> None:
    now = int(time.time())
    for n in range(ACCOUNTS):
        account, name = f"acc_{n}", f"wh_{n}"
        store.open_account(Account(account, "pro", None, {f"key of {account}": 0}))
        url = f"http://127.0.0.{n + 1}:{port}/"
        store.add_webhook(Webhook(name, account, url, EVENT_TYPES, None, (SECRET,), 1), 5)
        for number in range(EVENTS):
            store.add_event(account, webhook_test(account, name, f"{number}", now), now, now + YEAR, name)


def _receive(port: int, ready: Event) -> None:
    """Answer every request."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
        writer.close()

    async def serve() -> None:
        hosts = [f"127.0.0.{n + 1}" for n in range(ACCOUNTS)]
        async with await asyncio.start_server(answer, hosts, port) as server:
            ready.set()
            await server.serve_forever()

    asyncio.run(serve())


if __name__ == "__main__":
    measure(*sys.argv[1:])
