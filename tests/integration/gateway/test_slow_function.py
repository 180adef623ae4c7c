"""Look-ups that wait for a slow provider hold up nothing but look-ups."""

from __future__ import annotations

import json
import select
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import httpx
import pytest

from brskills_server.gateway.thread_pool import QUEUE_SIZE, THREADS
from tests.services.gateway_thread import gateway_thread
from tests.simulator import Simulator

from .service import CHARGE, PIX, connect
from .test_connections import received


@pytest.fixture
def base() -> Iterator[str]:
    """A gateway of one process whose only provider never answers."""
    with ExitStack() as stack:
        providers = stack.enter_context(Simulator())
        providers.play("opencnpj", "silent")
        settings = {"REGISTRY_PROVIDERS": "opencnpj", "OPENCNPJ_URL": providers.urls["opencnpj"]}
        with gateway_thread(**settings) as address:
            yield address
            stack.close()  # what hangs ends, and the gateway can stop


def test_pix_calls_are_answered_while_look_ups_hang(base: str) -> None:
    with ExitStack() as stack, httpx.Client(base_url=base, timeout=60) as http:
        looking, writing = (http.post("/api/v1/keys").json()["api_key"] for _ in range(2))
        look_ups = [stack.enter_context(connect(base)) for _ in range(THREADS + QUEUE_SIZE + 1)]
        for connection in look_ups:
            head = f"GET /api/v1/skills/cnpj/33000167000101 HTTP/1.1\r\nHost: x\r\nX-API-Key: {looking}"
            connection.sendall(f"{head}\r\n\r\n".encode())
        refused = answered(look_ups, 60)  # there is room for all of them but one
        with ThreadPoolExecutor(8) as pool:
            calls = pool.map(lambda _: http.post(PIX, json=CHARGE, headers={"X-API-Key": writing}), range(50))
            assert [call.status_code for call in calls] == [200] * 50
        assert answered(look_ups, 0) == refused
        assert len(refused) == 1
        refused[0].sendall(b"GET /nope HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        status, headers, body = received(refused[0])
        assert (status, headers["retry-after"]) == (429, "1")
        assert json.loads(body.partition(b"HTTP/1.1 404")[0])["code"] == "throttled"


def answered(connections: list[socket.socket], seconds: float) -> list[socket.socket]:
    """Those on which an answer has arrived; waits for the first for so long."""
    return select.select(connections, [], [], seconds)[0]
