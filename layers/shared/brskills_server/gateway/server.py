"""uvicorn's worker processes under a supervisor, with a drain before the end."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from ctypes import c_bool
from dataclasses import dataclass
from typing import Any

from uvicorn.supervisors import Multiprocess

from brskills_server import telemetry
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.gateway.application import Gateway
from brskills_server.gateway.exit_with_parent import exit_with_parent
from brskills_server.gateway.log import log_config, log_uncaught_errors, report
from brskills_server.gateway.metrics import PrometheusRecorder, forget_worker
from brskills_server.gateway.schedule import Schedule, worker_jobs
from brskills_server.gateway.server_config import server_config
from brskills_server.gateway.template import load
from brskills_server.runtime.gateway_settings import GatewaySettings
from brskills_server.runtime.services import open_services
from brskills_server.telemetry.figures import WORKERS_REPLACED
from brskills_server.web.request import is_within

STOP_SECONDS = 30
"""How long calls may take to finish when the gateway stops."""

SWITCH_SECONDS = 0.001
"""How long a thread computes while others wait; Python's 5 ms would delay calls beside a batch."""

START_SECONDS = 60
STUCK_SECONDS = 30  # a worker that does not answer the supervisor's ping for so long is replaced


@dataclass(frozen=True)
class Worker:
    """The factory of a worker's application, which uvicorn calls in the worker's process.

    ``draining`` is in shared memory, without a lock: a killed worker could hold it. ``folders``: see below.
    """

    settings: GatewaySettings
    draining: Any
    folders: tuple[str, ...]

    def __call__(self) -> Gateway:
        """Return the application; the functions are loaded here."""
        parent = multiprocessing.parent_process()
        if parent is not None and parent.pid is not None:
            exit_with_parent(parent.pid, self.folders)
        log_uncaught_errors()
        sys.setswitchinterval(min(SWITCH_SECONDS, sys.getswitchinterval()))
        if self.settings.metrics_at[1]:
            telemetry.record_with(PrometheusRecorder())
        services = open_services()
        gateway = Gateway(
            load(),
            lambda: bool(self.draining.value),
            _flush,
            lambda peer: is_within(peer, services.settings.trusted_proxies),
        )
        Schedule(worker_jobs(services)).start()
        gc.freeze()  # a search for garbage holds up every thread; what is loaded is none
        return gateway


def _flush() -> None:
    """Write the counts of this worker's last calls."""
    try:
        open_services().tally.flush()
    except StoreUnavailable as error:
        report("counts of calls lost", reason=str(error))


class Supervisor(Multiprocess):
    """The first process: starts the workers, calls ``when_ready`` when all serve, replaces those that die.

    After SIGTERM they answer for ``drain_seconds`` while the health check fails; a second SIGTERM ends the
    drain. SIGINT, or SIGTERM without ``drain_seconds``, stops at once. Calls in progress are answered first.
    ``folders`` are temporary; the workers remove them if this process is killed.
    """

    def __init__(
        self,
        listener: socket.socket,
        settings: GatewaySettings,
        when_ready: Callable[[], None],
        folders: tuple[str, ...],
    ) -> None:
        # With Nagle's algorithm the last segment of an answer would wait for an ACK.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # glibc would give threads eight heaps a processor, and each keeps what its largest call has freed.
        os.environ.setdefault("MALLOC_ARENA_MAX", "2")  # read by the workers at their start
        self._draining = multiprocessing.get_context("spawn").RawValue(c_bool, False)
        config = server_config(
            Worker(settings, self._draining, folders),
            factory=True,
            workers=settings.workers,
            timeout_graceful_shutdown=STOP_SECONDS,
            timeout_worker_healthcheck=STUCK_SECONDS,
            server_header=False,
            log_config=log_config(settings.log_format),
            lifespan="on",
        )
        super().__init__(config, [listener])
        self._drain_seconds = settings.drain_seconds
        self._when_ready = when_ready
        self._drain_until: float | None = None
        self._worker_ids: set[int | None] = set()
        self.has_started = False
        signal.signal(signal.SIGTERM, self._receive_term)

    def _receive_term(self, number: int, _: object) -> None:
        """Fail the health check at once; replacing workers may delay the handling of a signal."""
        self._draining.value = bool(self._drain_seconds)
        self.signal_queue.append(number)

    def init_processes(self) -> None:
        """Start the workers; stop if one of them cannot serve."""
        super().init_processes()
        self._leave_connections()
        self._worker_ids = {process.pid for process in self.processes}
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
        if self._drain_seconds and self._drain_until is None:
            report("draining", signal="SIGTERM", seconds=self._drain_seconds)
            self._drain_until = time.monotonic() + self._drain_seconds
        else:
            report("stopping", signal="SIGTERM")
            self.should_exit.set()

    def keep_subprocess_alive(self) -> None:
        """Replace workers that died, or stop at the end of the drain; called twice a second."""
        if self._drain_until is None:
            super().keep_subprocess_alive()
            self._leave_connections()
            self._report_replaced()
        elif time.monotonic() >= self._drain_until or not any(
            process.process.is_alive() for process in self.processes
        ):
            report("stopping")
            self.should_exit.set()

    def _leave_connections(self) -> None:
        """Close the workers' ends of their pings, which would hide that one died while it was asked."""
        for process in self.processes:
            process.child_conn.close()

    def _report_replaced(self) -> None:
        present = {process.pid for process in self.processes}
        for gone in self._worker_ids - present:
            report("worker replaced", worker=gone or 0)
            telemetry.count(WORKERS_REPLACED)
            forget_worker(gone or 0)
        self._worker_ids = present
