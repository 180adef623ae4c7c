"""Several processes that write to one database, and one that is killed: counts stay exact."""

from __future__ import annotations

import subprocess
import sys

from brskills_server.registry.dates import start_of_day
from tests.integration.adapters.workers import PAID_LIMIT
from tests.services.gateway import ROOT
from tests.services.releasing import release

from .databases import NOW, counted, new_account, open_at


def start(address: str, calls: int, threads: int = 8, work: str = "count") -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.integration.adapters.workers", work, address]
    return subprocess.Popen(
        [*command, str(calls), str(threads)],
        cwd=ROOT,
        env={"PYTHONPATH": "layers/shared"},
        stdout=subprocess.PIPE,
        text=True,
    )


def printed(processes: list[subprocess.Popen[str]]) -> list[int]:
    found = [int(line) for process in processes for line in process.communicate()[0].split()]
    assert {process.returncode for process in processes} == {0}
    return found


def test_calls_of_three_processes_are_counted_up_to_the_limit(address: str) -> None:
    stores = open_at(address)
    new_account(stores, 300)
    counts = printed([start(address, calls) for calls in (100, 150, 150)])
    assert sorted(counts) == list(range(1, 301))
    assert counted(stores) == 300


def test_paid_calls_of_two_processes_stay_within_the_limit(address: str) -> None:
    stores = open_at(address)
    stores.open_maintenance().prepare()
    assert sum(printed([start(address, 3, work="pay") for _ in range(2)])) == PAID_LIMIT
    assert stores.companies.state()["paid"] == start_of_day(NOW) + PAID_LIMIT


def test_a_repeated_request_of_two_processes_is_counted_once(address: str) -> None:
    stores = open_at(address)
    new_account(stores, 1)
    assert printed([start(address, 10, work="claim") for _ in range(2)]) == [8] * 2  # a fifth fails
    assert counted(stores) == 1


def test_every_answered_call_of_a_killed_process_is_counted(address: str) -> None:
    stores = open_at(address)
    new_account(stores, None)
    answered = 0
    for lines in (1, 30):
        process = start(address, 10**6, threads=1)
        assert process.stdout is not None
        for _ in range(lines):
            process.stdout.readline()
        process.kill()
        answered += lines + len(process.stdout.read().split())
        process.communicate()
        assert 0 <= counted(stores) - answered <= 1  # the one in progress
        answered = counted(stores)
    release(stores.access, "acc_1", "2026-11")
    assert counted(stores) == answered - 1
