"""Stores that are away, silent, slow, full or locked, and that lose answers."""

import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from itertools import count, cycle
from pathlib import Path
from unittest.mock import patch
from uuid import uuid4

from lab.faults.trial import OPERATION, STORE_SECONDS, Budget, Row, Trial, trial_at
from tests.services import ministack
from tests.services.gateway import free_port, wait_until_ready
from tests.services.postgres import Server, postgres
from tests.services.relay import Relay, relay

AWAY_SECONDS = 2.5 * STORE_SECONDS
CALM_SECONDS = 2.0
SLOW_SECONDS = 0.3
CUT_SECONDS = 6.0
DYNAMODB = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_DEFAULT_REGION": "us-east-1"}


class MiniStack:
    """DynamoDB alone, in a process that keeps its tables in memory, and in a folder while it is away."""

    def __init__(self, folder: Path) -> None:
        if not Path(ministack.PYTHON).exists():
            raise RuntimeError("MiniStack is missing: make faults installs it")
        self._folder = folder
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        self.process = ministack.start_ministack(
            self.port,
            self._folder / "ministack.txt",
            SERVICES="dynamodb",
            PERSIST_STATE="1",
            STATE_DIR=str(self._folder / "state"),
        )
        wait_until_ready(f"{self.url}/_ministack/health", self.process)

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def stop(self) -> None:
        """End it and wait until it has kept its tables."""
        if self.process.poll() is None:
            self.signal(signal.SIGCONT)
            self.signal(signal.SIGTERM)
            self.process.wait(60)


def postgresql(folder: Path) -> Iterator[Row]:
    """Yield a row for each fault, with separate databases of one server."""
    with postgres() as server:
        for damage in (_killed, _silent, _slow, _lost_answers):
            behind = damage in (_slow, _lost_answers)
            direct = server.new_database(uuid4().hex)
            with relay(server.port) if behind else nullcontext() as between:
                store = direct.replace(str(server.port), str(between.port)) if between else direct
                with trial_at(folder / damage.__name__, store, direct) as trial:
                    yield damage("PostgreSQL", trial, server, between)


def dynamodb(folder: Path) -> Iterator[Row]:
    """Yield a row for each fault, with separate tables of MiniStack."""
    for damage in (_killed, _silent, _lost_answers):
        place = folder / damage.__name__
        place.mkdir()
        server = MiniStack(place)
        server.start()
        try:
            with relay(server.port) if damage is _lost_answers else nullcontext() as between:
                url = f"http://127.0.0.1:{between.port if between else server.port}"
                settings = {**DYNAMODB, "AWS_ENDPOINT_URL_DYNAMODB": url, "CREATE_TABLES": "1"}
                own = {**DYNAMODB, "AWS_ENDPOINT_URL_DYNAMODB": server.url}
                with patch.dict(os.environ, own), trial_at(place, "dynamodb", **settings) as trial:
                    yield damage("DynamoDB", trial, server, between)
        finally:
            server.stop()


def _killed(name: str, trial: Trial, server: Server | MiniStack, _between: Relay | None) -> Row:
    """End the server as by a power cut, and start it over the same files."""
    with trial.running():
        for _ in range(2):
            if isinstance(server, Server):
                server.kill()
                time.sleep(AWAY_SECONDS / 2)
            else:
                server.stop()
                time.sleep(CALM_SECONDS)
            server.start()
            trial.end()
            time.sleep(CALM_SECONDS)
    how = "PostgreSQL killed" if isinstance(server, Server) else "DynamoDB (MiniStack) ended"
    return trial.judged(f"{how} twice, and back", felt={503}, history="at least")


def _silent(name: str, trial: Trial, server: Server | MiniStack, _between: Relay | None) -> Row:
    """Stop the server and its sessions: connections are open, and nothing answers."""
    with trial.running():
        server.signal(signal.SIGSTOP)
        if isinstance(server, Server):
            server.signal_sessions(signal.SIGSTOP)
        try:
            time.sleep(AWAY_SECONDS)
        finally:
            if isinstance(server, Server):
                server.signal_sessions(signal.SIGCONT)
            server.signal(signal.SIGCONT)
        trial.end()
    return trial.judged(f"{name} silent (SIGSTOP)", felt={503}, history="at least")


def _slow(name: str, trial: Trial, _server: Server | MiniStack, between: Relay | None) -> Row:
    """Delay every answer, then beyond the time-out."""
    assert between
    with trial.running():
        for delay in (SLOW_SECONDS, 2.0 * STORE_SECONDS):
            between.delay = delay
            time.sleep(AWAY_SECONDS)
        between.delay = 0.0
        trial.end()
    fault = f"{name} slow: each answer {SLOW_SECONDS} s late, then {2 * STORE_SECONDS} s"
    # Under a key three operations, and two to give back what cannot be answered.
    return trial.judged(fault, felt={503}, budget=Budget(keyed=5 * OPERATION), history="at least")


def _lost_answers(name: str, trial: Trial, _server: Server | MiniStack, between: Relay | None) -> Row:
    """Cut connections within an answer of the server, that to a commit too."""
    assert between
    with trial.running():
        between.passes = cycle((0, 1, 7, 40, 300)).__next__
        between.cuts = _one_in(15)
        time.sleep(CUT_SECONDS)
        between.cuts = lambda _: False
        trial.end()
    fault = f"{name}: answers cut after 0 to 300 bytes ({between.cut} times)"
    return trial.judged(fault, felt={503}, history="at least")


def _one_in(number: int) -> Callable[[bytes], bool]:
    asked = count(1)
    return lambda _: next(asked) % number == 0


DISK_BYTES = 16 * 1024 * 1024
FULL_SECONDS = 5.0


def file(folder: Path) -> Iterator[Row]:
    """Yield a row for a full disk, and one for a file that another program has locked."""
    (folder / "full").mkdir()
    with (
        _small_disk(folder / "disk") as disk,
        trial_at(folder / "full", f"sqlite:///{disk}/brskills.db") as trial,
    ):
        with trial.running():
            filler = disk / "filler"
            _fill(filler)
            time.sleep(FULL_SECONDS)
            filler.unlink()
            trial.end()
        fault = "the disk of the store's file is full (a tmpfs of 16 MB)"
        yield trial.judged(fault, felt={503}, doubt=False)
    place = folder / "held"
    with trial_at(place) as trial:
        database = sqlite3.connect(place / "brskills.db", timeout=60, isolation_level=None)
        with trial.running(), closing(database) as other:
            other.execute("BEGIN EXCLUSIVE")
            time.sleep(AWAY_SECONDS)
            other.execute("ROLLBACK")
            trial.end()
        yield trial.judged("another program holds the store's file", felt={503}, doubt=False)


@contextmanager
def _small_disk(place: Path) -> Iterator[Path]:
    """Yield a separate file system. Raise ``RuntimeError`` if this user may mount none."""
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", str(place)]
    done = subprocess.run(mount, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"a full disk is a small tmpfs, which takes root to mount: {done.stderr.strip()}")
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


def _fill(filler: Path) -> None:
    """Take all the space there is, to the last byte."""
    with filler.open("wb", buffering=0) as sink, suppress(OSError):
        while True:
            os.posix_fallocate(sink.fileno(), sink.seek(0, 1), 4096)
            sink.seek(4096, os.SEEK_CUR)
