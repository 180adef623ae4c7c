"""``make status-day``: a day with outages, and its history recounted from the log.

The clock is the machine's, so that the day is today; those before it are put into the store by its port.
"""

import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from brskills_server.accounts.calendar import day_name
from brskills_server.telemetry.day_counts import DayCounts
from lab.status_day.day import Day
from lab.status_day.service import Service, running
from tests.services.served import Counts
from tests.simulator import Simulator

_NOTEWORTHY = {1: DayCounts(1_000, 400), 9: DayCounts(2_000, 11), 13: DayCounts(41_250, 3)}
_USUAL, _DAYS = DayCounts(500, 0), 95


def main() -> int:
    """Play the day and compare. Return how many comparisons failed."""
    now = time.time()
    today, earlier = day_name(now), _earlier(now)
    with TemporaryDirectory() as place, Simulator() as providers:
        with running(Path(place), providers.settings, earlier) as service:
            day = Day(service, providers, Path(place) / "day.db")
            day.until_noon()
            noon, known = service.gateway.kept(today), service.gateway.logged()
            mismatches = _differ("at noon: caller, log and store", day.caller.counts, known, noon)
            day.until_night()
            service.gateway.end()
            logged, kept = service.gateway.logged(), service.gateway.kept(today)
        mismatches += _night(day, logged, kept, day.logged_when_killed - known)
        with running(Path(place), providers.settings, {}) as service:
            mismatches += _as_reported(service, kept, earlier, today)
    print(f"{mismatches} accounts differ" if mismatches else "all accounts agree")
    return mismatches


def _earlier(now: float) -> dict[str, DayCounts]:
    """Return counts of days before today: of most of them, and of more than are reported."""
    return {day_name(now - ago * 86_400): _NOTEWORTHY.get(ago, _USUAL) for ago in range(1, _DAYS) if ago % 5}


def _differ(what: str, *counts: Counts) -> int:
    agree = len({*counts}) == 1
    print(f"{what}: {counts[0] if agree else '; '.join(map(str, counts))}", flush=True)
    return not agree


def _night(day: Day, logged: Counts, kept: Counts, may_be_lost: Counts) -> int:
    """Calls whose connection broke are in the log or not; of the killed workers' counts any may be lost."""
    caller, lost = day.caller, logged - kept
    unheard = logged - caller.counts
    print(f"at the end: caller {caller.counts}; log {logged}; store {kept}")
    print(f"  {caller.unanswered} calls got no answer, {unheard.calls} of them are in the log")
    print(f"  lost with the killed workers: {lost}, of {may_be_lost.calls} calls since all had written")
    return (
        (not 0 <= unheard.calls <= caller.unanswered)
        + (unheard.failed != 0)
        + (not 0 <= lost.calls <= may_be_lost.calls)
        + (lost.failed != 0)
    )


def _as_reported(service: Service, kept: Counts, earlier: dict[str, DayCounts], today: str) -> int:
    """The history as the API reports it beside what was put and counted."""
    report: dict[str, Any] = service.status()
    days = {day["dia"]: Counts(day["chamadas"], day["falhas"]) for day in report["historico"]}
    recent = sorted(earlier.items())[-len(days) + 1 :]
    before = {day: Counts(counts.calls, counts.failed) for day, counts in recent}
    now = Counts.sum(counts for day, counts in days.items() if day >= today)
    mismatches = _differ("historico, today, and the store", now, kept)
    mismatches += {day: counts for day, counts in days.items() if day < today} != before
    month = [counts for day, counts in days.items() if day.startswith(report["sla"]["mes"])]
    calls, failed = Counts.sum(month)
    share = report["sla"]["disponibilidade"]
    print(f"historico has {len(days)} days; sla {report['sla']}, by hand {(calls - failed) / calls:.6f}")
    return mismatches + (share != int((calls - failed) / calls * 10_000) / 10_000)


if __name__ == "__main__":
    sys.exit(main())
