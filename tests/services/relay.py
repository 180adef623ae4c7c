"""A TCP relay in front of a server, which may hold answers up, or cut a connection before one has passed."""

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator

Judge = Callable[[bytes], bool]


class Relay:
    """Listens at ``port`` of loopback. Where ``cuts`` holds of what a client sends, it is passed on, and the
    connection is cut when the server answers; ``passes``: the bytes of that answer that get through.
    Every answer is held up for ``delay`` seconds."""

    def __init__(self, server: int) -> None:
        self._server = server
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.cuts: Judge = lambda _: False
        self.passes: Callable[[], int] = lambda: 0
        self.delay = 0.0
        self.cut = 0
        self._sockets: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """End it with every connection."""
        for one in [self._listener, *self._sockets]:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                try:
                    server = socket.create_connection(("127.0.0.1", self._server))
                except ConnectionRefusedError:  # it is away, and may come back
                    client.close()
                    continue
                self._sockets += [client, server]
                doomed = threading.Event()
                for way in ((client, server, doomed, True), (server, client, doomed, False)):
                    threading.Thread(target=self._pass, args=way, daemon=True).start()

    def _pass(self, from_: socket.socket, to: socket.socket, doomed: threading.Event, asks: bool) -> None:
        with contextlib.suppress(OSError):
            while content := from_.recv(65536):
                if asks and self.cuts(content):
                    doomed.set()
                if not asks:
                    time.sleep(self.delay)
                if not asks and doomed.is_set():
                    self.cut += 1
                    to.sendall(content[: self.passes()])
                    break
                to.sendall(content)
        for one in (from_, to):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def relay(server: int) -> Iterator[Relay]:
    """A relay as long as it is needed."""
    opened = Relay(server)
    try:
        yield opened
    finally:
        opened.close()
