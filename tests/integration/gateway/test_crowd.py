"""More connections than the gateway has descriptors: others are answered, and the log stays short."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import httpx

from tests.services.gateway import ROOT, gateway

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


def test_too_few_descriptors_end_the_start_with_one_line(tmp_path: Path) -> None:
    started = subprocess.run(
        ["sh", "-c", 'ulimit -n 100 && exec "$@"', "sh", sys.executable, "-m", "brskills_server.gateway"],
        cwd=ROOT,
        env={"PYTHONPATH": "layers/shared", "STORE": f"sqlite:///{tmp_path}/x.db", "PORT": "1"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert started.returncode != 0
    (line,) = started.stderr.splitlines()
    assert "at least 128 are needed" in line
    assert not list(tmp_path.iterdir())
