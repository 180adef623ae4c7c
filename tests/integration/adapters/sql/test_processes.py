"""Several processes on one database, and one that is killed: counts stay exact."""

from __future__ import annotations

import subprocess
import sys

import pytest

from brskills_server.registry.dates import start_of_day
from tests.integration.adapters.paid_calls import LIMIT, NOW
from tests.services.gateway import ROOT
from tests.services.releasing import release

from .databases import counted, new_account, open_at


def calling(address: str, calls: int, threads: int = 8, program: str = "sql.calls") -> subprocess.Popen[str]:
    command = [sys.executable, "-m", f"tests.integration.adapters.{program}"]
    return subprocess.Popen(
        [*command, address, str(calls), str(threads)],
        cwd=ROOT,
        env={"PYTHONPATH": "layers/shared"},
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize(("limit", "expected"), [(100, 100), (None, 1000)])
def test_a_thousand_calls_of_four_processes(address: str, limit: int | None, expected: int) -> None:
    stores = open_at(address)
    new_account(stores, limit)
    processes = [calling(address, 250) for _ in range(4)]
    printed = [int(line) for process in processes for line in process.communicate()[0].split()]
    assert [process.returncode for process in processes] == [0] * 4
    assert sorted(printed) == list(range(1, expected + 1))
    assert counted(stores) == expected


def test_paid_calls_of_four_processes(address: str) -> None:
    stores = open_at(address)
    stores.open_maintenance().prepare()
    processes = [calling(address, 15, program="paid_calls") for _ in range(4)]
    printed = [int(process.communicate()[0]) for process in processes]
    assert [process.returncode for process in processes] == [0] * 4
    assert sum(printed) == LIMIT
    assert stores.companies.state()["paid"] == start_of_day(NOW) + LIMIT


def test_one_claimed_request_by_five_processes_is_counted_once(address: str) -> None:
    stores = open_at(address)
    new_account(stores, 1)
    processes = [calling(address, 10, program="claimed_calls") for _ in range(5)]
    printed = [int(process.communicate()[0]) for process in processes]
    assert [process.returncode for process in processes] == [0] * 5
    assert printed == [8] * 5  # a fifth fails
    assert counted(stores) == 1


def test_of_a_process_that_is_killed_every_answered_call_is_counted(address: str) -> None:
    stores = open_at(address)
    new_account(stores, None)
    answered = 0
    for lines in (1, 7, 30):
        process = calling(address, 10**6, threads=1)
        assert process.stdout is not None
        for _ in range(lines):
            process.stdout.readline()
        process.kill()
        answered += lines + len(process.stdout.read().split())
        process.communicate()
        assert 0 <= counted(stores) - answered <= 1  # the one under way
        answered = counted(stores)
    release(stores.access, "acc_1", "2026-11")
    assert counted(stores) == answered - 1
