"""uvicorn as the gateway needs it: worker processes under a supervisor, which end together."""

import multiprocessing
import socket
from collections.abc import Callable

from uvicorn import Config
from uvicorn.supervisors import Multiprocess

from gateway.application import Gateway, application
from gateway.lifeline import end_with
from gateway.protocol import Protocol
from gateway.request import MAX_HEAD_BYTES

__all__ = ["Supervisor", "worker"]

IDLE_SECONDS = 75
"""How long a connection may stay open between two calls: longer than proxies in front keep theirs."""

STOP_SECONDS = 30
"""How long calls under way may take when the gateway is stopped."""

START_SECONDS = 60
STUCK_SECONDS = 30  # a worker that does not even say that it is there is replaced


class Supervisor(Multiprocess):
    """Starts the workers, tells when all of them serve, and replaces one that dies."""

    def __init__(self, listener: socket.socket, workers: int, when_ready: Callable[[], None]) -> None:
        # An answer's head and body are two writes, of which the second shall not wait for an ACK.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        config = Config(
            "gateway.server:worker",
            factory=True,
            workers=workers,
            http=Protocol,
            h11_max_incomplete_event_size=MAX_HEAD_BYTES,
            timeout_keep_alive=IDLE_SECONDS,
            timeout_graceful_shutdown=STOP_SECONDS,
            timeout_worker_healthcheck=STUCK_SECONDS,
            proxy_headers=False,  # the peer is the connection's; TRUSTED_PROXIES decides who else is believed
            server_header=False,
            access_log=False,
            log_level="error",
            lifespan="off",
            loop="asyncio",
            ws="none",
        )
        super().__init__(config, [listener])
        self._when_ready = when_ready
        self.has_started = False

    def init_processes(self) -> None:
        """Start the workers; if one of them cannot serve, end."""
        super().init_processes()
        self.has_started = all(
            process.wait_until_ready(START_SECONDS, self.should_exit) for process in self.processes
        )
        if self.has_started:
            self._when_ready()
        else:
            self.should_exit.set()


def worker() -> Gateway:
    """The application of one worker, called by uvicorn in a process of its own."""
    parent = multiprocessing.parent_process()
    if parent is not None and parent.pid is not None:
        end_with(parent.pid)
    return application()
