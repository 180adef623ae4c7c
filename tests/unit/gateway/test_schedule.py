"""Jobs run periodically, also after failures."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import pytest

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.snapshots.folder import FILE
from brskills_server.gateway import server
from brskills_server.gateway.schedule import (
    HOUR,
    MINUTE,
    Job,
    Schedule,
    gateway_jobs,
    webhook_jobs,
    worker_jobs,
)
from brskills_server.runtime.gateway_settings import GatewaySettings
from brskills_server.runtime.services import Services
from brskills_server.runtime.settings import Settings
from brskills_server.runtime.settings_reader import Reader
from brskills_server.telemetry.day_counts import DayCounts
from brskills_server.telemetry.figures import JOBS
from brskills_server.telemetry.outcome import FLUSH_SECONDS
from brskills_server.watches.watch import Announcement
from tests.fakes.figures import remembered
from tests.integration.adapters.copies.months import write_file
from tests.register.copy_file import put_in_place


class Moment:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_job_comes_at_any_moment_of_its_first_period_and_then_about_on_time() -> None:
    moment, ran = Moment(), []
    chances = iter([60.0, 0.9, 1.1])
    asked: list[tuple[float, float]] = []

    def chance(least: float, most: float) -> float:
        asked.append((least, most))
        return next(chances)

    schedule = Schedule([Job("x", HOUR, lambda: ran.append(moment.now))], moment, chance)
    waits = []
    for now in (0.0, 59.0, 60.0, 3299.0, 3300.0):
        moment.now = now
        waits.append(round(schedule.run_pending()))
    assert ran == [60.0, 3300.0]
    assert waits == [60, 1, 3240, 1, 3960]
    assert asked == [(0, HOUR), (0.9, 1.1), (0.9, 1.1)]


def test_a_job_at_once_is_run_first_of_all() -> None:
    ran = list[str]()
    jobs = [Job("x", 60, lambda: ran.append("x")), Job("y", 60, lambda: ran.append("y"), at_once=True)]
    Schedule(jobs, Moment(), lambda *_: 1).run_pending()
    assert ran == ["y"]


@pytest.mark.parametrize("failure", [StoreUnavailable("no connection in 5 s"), ValueError("529.982.247-25")])
def test_a_round_that_fails_is_a_line_and_never_the_end(failure: Exception, caplog) -> None:
    moment, ran = Moment(), []

    def fail() -> None:
        raise failure

    caplog.set_level("INFO")
    schedule = Schedule([Job("bad", 10, fail), Job("good", 10, lambda: ran.append(1))], moment, lambda *_: 1)
    with remembered() as recorder:
        for now in (1, 11, 21):
            moment.now = now
            schedule.run_pending()
    assert len(ran) == 3
    assert recorder.of(JOBS) == {("bad", "failed"): 3, ("good", "done"): 3}
    facts = [record.__dict__["facts"] for record in caplog.records]
    assert [one["error"] for one in facts] == [type(failure).__name__] * 3
    assert {one["reason"] for one in facts} <= {"", "no connection in 5 s"}


def test_what_has_expired_is_deleted(store_settings: Settings) -> None:
    services = Services(store_settings)
    services.maintenance.prepare()
    services.store.count_in_window("old", "2026-01-01", 5, expires_at=int(time.time()) - 1)
    services.store.count_in_window("new", "2026-01-01", 5, expires_at=int(time.time()) + HOUR)
    (job,) = gateway_jobs(services, 0)
    assert (job.name, job.seconds) == ("tidy", HOUR)
    job.run()
    assert [services.store.read_window(who) for who in ("old", "new")] == [{}, {"2026-01-01": 1}]


def test_providers_are_probed_if_configured(store_settings: Settings) -> None:
    _, probe = gateway_jobs(Services(store_settings), 600)
    assert (probe.name, probe.seconds) == ("probe", 600)


def test_a_new_month_is_announced_every_minute_if_there_is_a_copy(store_settings: Settings, tmp_path) -> None:
    settings = replace(store_settings, registry_copy=str(tmp_path), registry_providers=("receita",))
    services = Services(settings)
    services.maintenance.prepare()
    _, announce = gateway_jobs(services, 0)
    assert (announce.name, announce.seconds, announce.at_once) == ("announce", MINUTE, True)
    write_file(tmp_path / "2026-09-12" / FILE, {}, build="1")
    put_in_place(tmp_path, "2026-09-12")
    announce.run()
    assert services.store.read_announcement() == Announcement("1", version=1)


def test_thresholds_are_looked_for_every_ten_seconds(store_settings: Settings) -> None:
    services = Services(store_settings)
    services.maintenance.prepare()
    (job,) = webhook_jobs(services)
    assert (job.name, job.seconds) == ("thresholds", 10)
    job.run()


def test_a_worker_writes_what_it_counted_before_a_call_would_have_to(store_settings: Settings) -> None:
    services = Services(store_settings)
    services.maintenance.prepare()
    (job,) = worker_jobs(services)
    assert job.seconds * 1.1 < FLUSH_SECONDS
    services.tally.add("pix", DayCounts(3, 0))
    services.tally.flush_if_due()
    assert services.store.days("2000-01-01", "9999-12-31") == {}
    job.run()
    assert [*services.store.days("2000-01-01", "9999-12-31").values()] == [(3, 0, 0, 0)]


@pytest.fixture
def store_settings(tmp_path) -> Settings:
    return replace(Settings.from_environment({}), store=f"sqlite:///{tmp_path}/x.db", store_seconds=5)


def test_it_runs_in_a_thread_until_it_is_stopped() -> None:
    ran = threading.Event()
    schedule = Schedule([Job("x", 0.001, ran.set)])
    schedule.start()
    assert ran.wait(60)
    schedule.stop()


def test_each_worker_runs_its_jobs(monkeypatch: pytest.MonkeyPatch, store_settings: Settings) -> None:
    services, started = Services(store_settings), []
    services.maintenance.prepare()
    monkeypatch.setattr(server, "open_services", lambda: services)
    monkeypatch.setattr(server, "log_uncaught_errors", lambda: None)
    monkeypatch.setattr(Schedule, "start", lambda schedule: started.extend(schedule._next))
    server.Worker(GatewaySettings.read(Reader({})), None, ())()
    assert [job.name for job in started] == ["history"]
