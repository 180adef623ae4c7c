"""The states of a task."""

from __future__ import annotations

from brskills_server.tasks.task import (
    CANCELLED,
    COMPLETED,
    KEPT_SECONDS,
    LEASE_SECONDS,
    START_SECONDS,
    WORKING,
    Task,
    new_task,
)

NOW = 1_795_000_000


def made() -> Task:
    return new_task("acc_1", "cnpj", "{}", NOW)


def test_a_new_task_is_started_and_has_an_id_that_cannot_be_guessed() -> None:
    task = made()
    assert (task.status, task.runs, task.version, task.expires_at) == (WORKING, 0, 1, NOW + KEPT_SECONDS)
    assert len({made().id for _ in range(100)}) == 100
    assert len(task.id.removeprefix("task_")) == 32  # 128 bits
    assert not task.is_abandoned(NOW + START_SECONDS - 1)
    assert task.is_abandoned(NOW + START_SECONDS)


def test_a_run_has_a_lease_that_it_renews() -> None:
    begun = made().begin(NOW + 1)
    assert (begun.runs, begun.version, begun.updated_at) == (1, 2, NOW + 1)
    assert not begun.is_abandoned(NOW + LEASE_SECONDS)
    assert begun.is_abandoned(NOW + 1 + LEASE_SECONDS)
    renewed = begun.renew(NOW + 20, "[1, 2]")
    assert (renewed.runs, renewed.version, renewed.outcome) == (1, 3, "[1, 2]")
    assert renewed.begin(NOW).outcome == ""
    assert not renewed.is_abandoned(NOW + 20 + LEASE_SECONDS - 1)
    again = renewed.start(NOW + 60, "[]")
    assert (again.runs, again.lease_ends, again.request) == (1, NOW + 60 + START_SECONDS, "[]")


def test_a_lease_by_a_clock_that_is_ahead_is_none() -> None:
    assert made().begin(NOW + 86_400).is_abandoned(NOW)


def test_one_that_has_ended_keeps_its_outcome_and_not_its_request() -> None:
    ended = made().begin(NOW).end(NOW + 5, COMPLETED, "[]")
    assert (ended.status, ended.outcome, ended.request, ended.lease_ends) == (COMPLETED, "[]", "", 0)
    assert not ended.is_working
    assert not ended.is_abandoned(NOW + LEASE_SECONDS)
    assert made().end(NOW, CANCELLED).outcome == ""
