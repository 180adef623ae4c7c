"""uvicorn as the gateway needs it: worker processes under a supervisor, which end together."""

from __future__ import annotations

import multiprocessing
import signal
import socket
import time
from collections.abc import Callable
from ctypes import c_bool
from dataclasses import dataclass
from typing import Any

from uvicorn import Config
from uvicorn.supervisors import Multiprocess

from brskills_server import telemetry
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.gateway.application import Gateway
from brskills_server.gateway.exit_with_parent import end_with
from brskills_server.gateway.log import log_config, report, report_stray_errors
from brskills_server.gateway.loop import LOOP
from brskills_server.gateway.metrics import PrometheusRecorder, forget_worker
from brskills_server.gateway.protocol import IDLE_SECONDS, Protocol
from brskills_server.gateway.schedule import Schedule, jobs_of_worker
from brskills_server.gateway.template import load
from brskills_server.runtime.gateway_settings import GatewaySettings
from brskills_server.runtime.services import open_services
from brskills_server.telemetry.figures import WORKERS_REPLACED

__all__ = ["Supervisor", "Worker"]

STOP_SECONDS = 30
"""How long calls under way may take when the gateway is stopped."""

START_SECONDS = 60
STUCK_SECONDS = 30  # a worker that does not even say that it is there is replaced


@dataclass(frozen=True)
class Worker:
    """Makes the application of one worker; called by uvicorn in a process of its own.

    ``draining``: a flag that all processes see. It has no lock, which a worker could be killed in.
    ``folders``: see ``Supervisor``.
    """

    settings: GatewaySettings
    draining: Any
    folders: tuple[str, ...]

    def __call__(self) -> Gateway:
        """The application, whose functions are loaded here."""
        parent = multiprocessing.parent_process()
        if parent is not None and parent.pid is not None:
            end_with(parent.pid, self.folders)
        report_stray_errors()
        if self.settings.metrics_port:
            telemetry.record_with(PrometheusRecorder())
        gateway = Gateway(load(), lambda: bool(self.draining.value), _end)
        Schedule(jobs_of_worker(open_services())).start()
        return gateway


def _end() -> None:
    """Write what this worker has counted: its last calls are answered."""
    try:
        open_services().tally.flush()
    except StoreUnavailable as failure:
        report("counts of calls lost", reason=str(failure))


class Supervisor(Multiprocess):
    """Starts the workers, tells when all of them serve, and replaces one that dies.

    SIGTERM leaves them answering for ``drain_seconds``, not healthy any more; a second one does not wait.
    SIGINT, or either without ``drain_seconds``, stops them at once: calls under way are answered first.
    ``folders``: what is to be cleared away at the end, by the workers where this process was killed.
    """

    def __init__(
        self,
        listener: socket.socket,
        settings: GatewaySettings,
        when_ready: Callable[[], None],
        folders: tuple[str, ...],
    ) -> None:
        # What fills more than one segment shall not wait for an ACK before its last one.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._draining = multiprocessing.get_context("spawn").RawValue(c_bool, False)
        config = Config(
            Worker(settings, self._draining, folders),
            factory=True,
            workers=settings.workers,
            http=Protocol,
            timeout_keep_alive=IDLE_SECONDS,
            timeout_graceful_shutdown=STOP_SECONDS,
            timeout_worker_healthcheck=STUCK_SECONDS,
            proxy_headers=False,  # the peer is the connection's; TRUSTED_PROXIES decides who else is believed
            server_header=False,
            access_log=False,
            log_config=log_config(settings.log_format),
            lifespan="on",
            loop=LOOP,
            ws="none",
        )
        super().__init__(config, [listener])
        self._drain_seconds = settings.drain_seconds
        self._when_ready = when_ready
        self._drained_at: float | None = None
        self._known: set[int | None] = set()
        self.has_started = False
        signal.signal(signal.SIGTERM, self._take_term)

    def _take_term(self, number: int, _: object) -> None:
        """Say at once that it is not healthy: replacing workers may keep a signal waiting for long."""
        self._draining.value = bool(self._drain_seconds)
        self.signal_queue.append(number)

    def init_processes(self) -> None:
        """Start the workers; if one of them cannot serve, end."""
        super().init_processes()
        self._known = {process.pid for process in self.processes}
        self.has_started = all(
            process.wait_until_ready(START_SECONDS, self.should_exit) for process in self.processes
        )
        if self.has_started:
            self._when_ready()
        else:
            self.should_exit.set()

    def handle_int(self) -> None:
        """Stop."""
        report("stopping", signal="SIGINT")
        self.should_exit.set()

    def handle_term(self) -> None:
        """Drain, then stop."""
        if self._drain_seconds and self._drained_at is None:
            report("draining", signal="SIGTERM", seconds=self._drain_seconds)
            self._drained_at = time.monotonic() + self._drain_seconds
        else:
            report("stopping", signal="SIGTERM")
            self.should_exit.set()

    def keep_subprocess_alive(self) -> None:
        """Look after the workers, twice a second: replace those that died, or end what was drained."""
        if self._drained_at is None:
            super().keep_subprocess_alive()
            self._tell_of_replaced()
        elif time.monotonic() >= self._drained_at or not self._has_workers():
            report("stopping")
            self.should_exit.set()

    def _has_workers(self) -> bool:
        return any(process.process.is_alive() for process in self.processes)

    def _tell_of_replaced(self) -> None:
        present = {process.pid for process in self.processes}
        for gone in self._known - present:
            report("worker replaced", worker=gone or 0)
            telemetry.count(WORKERS_REPLACED)
            forget_worker(gone or 0)
        self._known = present
