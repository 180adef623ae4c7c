"""More connections than the gateway has descriptors: others are answered, and the log stays short."""

from __future__ import annotations

import json
import socket
from contextlib import ExitStack
from pathlib import Path

import httpx

from tests.services.gateway import gateway

CROWD = 700


def test_a_burst_of_idle_connections_shuts_nobody_out_and_leaves_few_lines(tmp_path: Path) -> None:
    output = tmp_path / "output.txt"
    with (
        gateway(output, 128, WORKERS="1", LOG_FORMAT="json") as base,
        ExitStack() as stack,
        httpx.Client(base_url=base, timeout=60) as http,
    ):
        host, port = base.removeprefix("http://").split(":")
        for _ in range(CROWD):
            idle = stack.enter_context(socket.socket())
            idle.setblocking(False)
            idle.connect_ex((host, int(port)))
        statuses = [http.get("/api/v1/plans", headers={"Connection": "close"}).status_code for _ in range(20)]
    assert statuses == [200] * 20
    lines = [json.loads(line) for line in output.read_text().splitlines()]
    trouble = [line for line in lines if line["message"] not in {"ready", "call", "stopping", "stopped"}]
    assert {line["message"] for line in trouble} == {"connection ended: too many"}
    assert len(trouble) < 40
    assert len(output.read_bytes()) < 40_000
