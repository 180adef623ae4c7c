"""The simulator's sockets: one port for all providers, distinguished by path, and one port each.

It listens on 127.0.0.1 only, in a separate thread, and ends with the ``with`` block.
"""

import asyncio
import re
import ssl
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Self
from weakref import WeakSet

from tests.simulator.companies import DATA
from tests.simulator.paid import Plays, paid_address
from tests.simulator.replies import Fault, Reply

PROVIDERS = ("opencnpj", "brasilapi", "minhareceita", "cnpja", "cnpjws", "receitaws")
_PATHS = {
    "brasilapi": r"/api/cnpj/v1/(\w+)",
    "cnpja": r"/office/(\w+)",
    "cnpjws": r"/cnpj/(\w+)",
    "receitaws": r"/v1/cnpj/(\w+)",
}
DATES = {
    "/info": (DATA / "opencnpj/info_2026-10-01.json").read_bytes(),
    "/updated": (DATA / "minhareceita/updated.json").read_bytes(),
}
_TLS_HANDSHAKE = b"\x16"
_HANDSHAKE_SECONDS = 2
_SLOW_SECONDS = 0.05  # between two bytes


class Simulator(Plays):
    """Six providers on loopback.

    ``urls``: provider id → base address. ``base``: the port for all (there ``/{cnpj}`` is OpenCNPJ).
    ``calls``: provider and path of every request so far, ``heads``: each as it was sent; ``connections``: how
    many came to each port.
    Over HTTP, ``PUT /_fault/<provider>/<name>`` plays a fault.
    """

    def __init__(self, port: int = 0, tls: ssl.SSLContext | None = None) -> None:
        super().__init__()
        self._port = port
        self._tls = tls
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._servers: list[asyncio.Server] = []
        self._writers: WeakSet[asyncio.StreamWriter] = WeakSet()
        self._serving: WeakSet[asyncio.Task[None]] = WeakSet()
        self.urls: dict[str, str] = {}
        self.base = ""
        self.calls: list[tuple[str, str]] = []
        self.heads: list[str] = []
        self.connections: Counter[str] = Counter()

    @property
    def settings(self) -> dict[str, str]:
        """The settings that point the service at these providers."""
        return {f"{name.upper()}_URL": url for name, url in self.urls.items()}

    @contextmanager
    def playing(self, fault: str | Fault, *names: str) -> Iterator[None]:
        """Let some providers, or all of them, reply with a fault in the block."""
        for name in names or PROVIDERS:
            self.play(name, fault)
        try:
            yield
        finally:
            for name in names or PROVIDERS:
                self.play(name, "truth")

    def asked(self, provider: str) -> int:
        """How many companies a provider was asked for."""
        return sum(name == provider and path not in DATES for name, path in self.calls)

    def __enter__(self) -> Self:
        self._thread.start()
        self._run(self._open())
        return self

    def __exit__(self, *_: object) -> None:
        self._run(self._shut())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _run(self, work: object) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(10)  # type: ignore[arg-type]

    async def _open(self) -> None:
        self.base = await self._listen("opencnpj", self._port)
        for n, provider in enumerate(PROVIDERS, 1):
            self.urls[provider] = await self._listen(provider, self._port and self._port + n)

    async def _listen(self, provider: str, port: int) -> str:
        secured = {"ssl": self._tls, "ssl_handshake_timeout": _HANDSHAKE_SECONDS} if self._tls else {}
        server = await asyncio.start_server(self._serve_as(provider), "127.0.0.1", port, **secured)
        self._servers.append(server)
        return f"http{'s' if self._tls else ''}://127.0.0.1:{server.sockets[0].getsockname()[1]}"

    async def _shut(self) -> None:
        # First nobody else is let in: who is on the way when a server closes keeps an open socket for good.
        # So does a task that is cancelled before it accepts a connection, or begins to serve it.
        for server in self._servers:
            for listening in server.sockets:
                self._loop.remove_reader(listening.fileno())
        while len(asyncio.all_tasks()) > 1:
            for task in self._serving:
                task.cancel()
            for writer in self._writers:
                writer.transport.abort()  # what nobody reads any more would keep it open
            await asyncio.sleep(0.001)
        await asyncio.gather(*(writer.wait_closed() for writer in self._writers), return_exceptions=True)
        for server in self._servers:
            server.close()

    def _serve_as(self, own: str) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self.connections[own] += 1
            self._writers.add(writer)
            self._serving.add(asyncio.current_task())
            try:
                reused = False
                while await self._one(own, reader, writer, reused):
                    reused = True
            except (ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                pass  # the client went away
            except asyncio.CancelledError:
                pass  # the simulator shuts; nobody waits for this task but its end
            finally:
                writer.close()

        return serve

    async def _one(
        self, own: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, reused: bool
    ) -> bool:
        first = await reader.readexactly(1)
        if first == _TLS_HANDSHAKE:
            return False
        head = (first + await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        method, path, *_ = head.split(" ", 2)
        if method == "PUT":
            _, _, provider, fault = path.split("/")
            self.play(provider, fault)
            return await _send(writer, Reply(204, b""), reused)
        provider, cnpj = route(own, path)
        headers = _headers(head)
        address = paid_address(provider, headers)
        self.calls.append((address, path))
        self.heads.append(head)
        if path in DATES:
            return await _send(writer, Reply(200, DATES[path]), reused)
        reply = self.reply(address, cnpj, path.partition("?")[2], headers)
        await asyncio.sleep(reply.after)
        return await _send(writer, reply, reused)


def route(own: str, path: str) -> tuple[str, str]:
    """The provider that a path belongs to, and the number in it; the port's own for a bare one."""
    path = path.partition("?")[0]
    for provider, pattern in _PATHS.items():
        if match := re.fullmatch(pattern, path):
            return provider, match[1]
    return own, path[1:]


def _headers(head: str) -> dict[str, str]:
    lines = (line.split(":", 1) for line in head.split("\r\n")[1:] if ":" in line)
    return {name.strip().lower(): value.strip() for name, value in lines}


async def _send(writer: asyncio.StreamWriter, reply: Reply, reused: bool) -> bool:
    """Send a reply in its manner; whether the connection stays open."""
    if reply.manner == "silent":
        await asyncio.sleep(3600)
    if reply.manner == "close" or (reply.manner == "close-if-reused" and reused):
        return False
    if not reply.raw:
        head = [f"HTTP/1.1 {reply.status} Simulated", f"content-length: {len(reply.body)}"]
        head += [f"{name}: {value}" for name, value in reply.headers.items()]
        writer.write("\r\n".join([*head, "", ""]).encode())
    if reply.manner == "half":
        writer.write(reply.body[: len(reply.body) // 2])
        await writer.drain()
        return False
    if reply.manner == "slow":
        for byte in reply.body:
            writer.write(bytes([byte]))
            await writer.drain()
            await asyncio.sleep(_SLOW_SECONDS)
    else:
        writer.write(reply.body)
    await writer.drain()
    return reply.manner != "close-after"
