"""Idle connections at the port of the figures for Prometheus."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from urllib.request import urlopen

from tests.attacks.outcome import Check, Outcome
from tests.attacks.target import Context
from tests.services.gateway import free_port

CONNECTIONS, MOST_THREADS = 300, 40


def attack(context: Context) -> Iterator[Outcome]:
    port, served = free_port(), 0
    with context.serving(METRICS_PORT=str(port)) as target, ExitStack() as opened:
        before = target.threads()
        for _ in range(CONNECTIONS):
            with suppress(OSError):
                opened.enter_context(socket.create_connection(("127.0.0.1", port), 2))
        time.sleep(1)
        threads = target.threads()
        with suppress(OSError), urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
            served = int(answer.status == 200)
    outcome = Outcome("metrics_port", f"{CONNECTIONS} idle connections at the metrics port")
    outcome.spent = {"threads before": before, "threads": threads, "figures served meanwhile": served}
    outcome.checks = [
        Check("threads of the first process", threads, most=MOST_THREADS),
        Check("the figures are served meanwhile", served, least=1),
    ]
    yield outcome
