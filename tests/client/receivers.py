"""Receivers of webhooks as processes, and what each of them must do with deliveries."""

from __future__ import annotations

import contextlib
import re
import sqlite3
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import httpx

from tests.client.deliveries import CHANGED, NEXT_SECRET, OTHER_SECRET, SECRET, TEST, Delivery, signed, wrong
from tests.services.gateway import eventually, free_port, running


@dataclass(frozen=True)
class Receiver:
    """A running receiver; what it prints is in a file."""

    base: str
    output: Path

    def send(self, delivery: Delivery) -> int:
        """Return the status of the answer."""
        headers = {"Content-Type": "application/json", **delivery.headers}
        return httpx.post(f"{self.base}/webhooks", content=delivery.body, headers=headers).status_code

    def acted_on(self) -> list[str]:
        """Return the ids that it acted on, as soon as it has acted on all that it stored."""
        with contextlib.closing(sqlite3.connect(self.output.parent / "webhooks.db")) as inbox:
            eventually(lambda: not inbox.execute("SELECT 1 FROM inbox WHERE NOT done").fetchall())
        return re.findall(r"msg_\d+", self.output.read_text("utf-8"))


@contextlib.contextmanager
def receiver(
    command: Sequence[str | Path], folder: Path, environment: Mapping[str, str], *secrets: str
) -> Iterator[Receiver]:
    """Yield a receiver with these secrets; ``{port}`` in its command is replaced."""
    port = free_port()
    output, log = folder / f"output-{port}", folder / f"log-{port}"
    with output.open("wb") as printed, log.open("wb") as logged:
        process = subprocess.Popen(
            [str(word).replace("{port}", str(port)) for word in command],
            cwd=folder,
            env={**environment, "PORT": str(port), "WEBHOOK_SECRETS": " ".join(secrets)},
            stdout=printed,
            stderr=logged,
        )
    with running(process, f"http://127.0.0.1:{port}/webhooks", log) as base:
        yield Receiver(base, output)


def check_receiver(command: Sequence[str | Path], folder: Path, environment: Mapping[str, str]) -> None:
    """Assert that a receiver takes good deliveries, acts on each once, and refuses others."""
    with receiver(command, folder, environment, SECRET) as one:
        for delivery in (signed(CHANGED, id="msg_1"), signed(TEST, SECRET, NEXT_SECRET, id="msg_2")):
            with ThreadPoolExecutor(8) as senders:
                assert set(senders.map(one.send, [delivery] * 8)) == {204}
        assert one.send(signed(CHANGED, NEXT_SECRET, SECRET, id="msg_1")) == 204
        for title, delivery in wrong():
            assert one.send(delivery) == 400, title
        assert one.send(signed(TEST, id="msg_3")) == 204
        assert sorted(one.acted_on()) == ["msg_1", "msg_2", "msg_3"]
        assert "PÃO E SÃO" in one.output.read_text("utf-8")
    with contextlib.closing(sqlite3.connect(folder / "webhooks.db", isolation_level=None)) as inbox:
        inbox.execute("UPDATE inbox SET done = 0 WHERE id = 'msg_2'")  # as after a crash
    with receiver(command, folder, environment, NEXT_SECRET, SECRET) as rotated:
        assert rotated.send(signed(CHANGED, NEXT_SECRET, id="msg_1")) == 204
        assert rotated.send(signed(TEST, SECRET, id="msg_4")) == 204
        assert rotated.send(signed(TEST, NEXT_SECRET, id="msg_5")) == 204
        assert rotated.send(signed(TEST, OTHER_SECRET, id="msg_6")) == 400
        assert rotated.acted_on() == ["msg_2", "msg_4", "msg_5"]
