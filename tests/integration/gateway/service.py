"""A gateway over a file with simulated providers, and what its tests share."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from tests.services.gateway import eventually, free_port, start, wait_until_ready
from tests.services.gateway_thread import gateway_thread
from tests.simulator import Simulator

TIMEOUT = 60
PIX, CNPJ = "/api/v1/skills/pix", "/api/v1/skills/cnpj"
DEMO = {"X-API-Key": "brsk_demo00000000000000000000000000001gbZMd"}
CHARGE = {"chave": "pix@exemplo.com.br", "nome_recebedor": "Loja", "cidade": "Recife"}


def problem(answer: httpx.Response) -> tuple[int, str, list[tuple[str, str]]]:
    """Return the status, the code, and field and code of each issue."""
    found = answer.json()
    errors = [(each["campo"], each["code"]) for each in found.get("errors", [])]
    return answer.status_code, found["code"], errors


def connect(base: str) -> socket.socket:
    host, port = base.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=TIMEOUT)


def workers(parent: int) -> list[int]:
    """The processes of a gateway that answer calls."""
    command = ["pgrep", "-P", str(parent), "-f", "spawn_main"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    return [int(number) for number in found.stdout.split()]


def wait_until_all_serve(output: Path) -> None:
    """Return when every worker of a gateway is ready."""
    eventually(lambda: any(sign in output.read_text() for sign in ("Keys and counters are", '"ready"')))


@dataclass(frozen=True)
class Served:
    """A gateway and its simulated providers."""

    base: str
    providers: Simulator

    def new_key(self) -> dict[str, str]:
        """The header of a new account."""
        return {"X-API-Key": httpx.post(f"{self.base}/api/v1/keys", timeout=TIMEOUT).json()["api_key"]}

    @contextmanager
    def caller(self) -> Iterator[httpx.Client]:
        """A client with a key of a new account."""
        with httpx.Client(base_url=self.base, timeout=TIMEOUT, headers=self.new_key()) as http:
            yield http

    def reset_providers(self) -> None:
        for name in self.providers.urls:
            self.providers.play(name, "truth")


@dataclass(frozen=True)
class Service(Served):
    """A gateway in processes; ``store`` is its file, ``output`` the file of everything it prints."""

    process: subprocess.Popen[bytes]
    store: Path
    output: Path

    def stop(self, number: signal.Signals = signal.SIGTERM) -> None:
        self.process.send_signal(number)
        assert self.process.wait(TIMEOUT) == 0

    def lines(self) -> list[dict[str, Any]]:
        """The log, if it is JSON."""
        return [json.loads(line) for line in self.output.read_text().splitlines()]


def calls_of(http: httpx.Client) -> int:
    """The calls of a client's account this month."""
    counted: int = http.get("/api/v1/usage").json()["chamadas"]
    return counted


def _settings(providers: Simulator) -> dict[str, str]:
    return {
        "REGISTRY_PROVIDERS": "opencnpj",
        "SIGNUPS_PER_DAY": "1000",
        "SIGNUPS_PER_MONTH": "1000",
        **{f"{name.upper()}_URL": url for name, url in providers.urls.items()},
    }


@contextmanager
def serve_here(**changed: str) -> Iterator[Served]:
    """Run a gateway in this process; by default with the provider opencnpj and a store in memory."""
    with Simulator() as providers, gateway_thread(**{**_settings(providers), **changed}) as base:
        yield Served(base, providers)


@contextmanager
def serve(folder: Path, **changed: str) -> Iterator[Service]:
    """Run a gateway until all workers are ready; by default two, with the provider opencnpj."""
    port, store, output = free_port(), folder / "brskills.db", folder / "output.txt"
    base = f"http://127.0.0.1:{port}"
    with Simulator() as providers:
        settings = {"STORE": f"sqlite:///{store}", "WORKERS": "2", **_settings(providers), **changed}
        process = start(port, output, **settings)
        try:
            wait_until_ready(f"{base}/livez", process, output)
            wait_until_all_serve(output)
            yield Service(base, providers, process, store, output)
        finally:
            process.kill()
            process.wait()
