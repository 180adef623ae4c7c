"""The clock jumps over a month's end, back and forth, under traffic; then by a month."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import httpx

from brskills_server.accounts.calendar import hour, month_name
from tests.faults.service import Service, serving
from tests.faults.traffic import CODES, MAX_SECONDS
from tests.faults.trial import Row, Trial

__all__ = ["faults"]

HOUR, MONTH = 3600.0, 31 * 86_400.0
LIMIT = 100
NO_CLAIM: Mapping[str, str] = {}


class Clock:
    """The gateway's clock, an hour before the end of the month. Its processes read it from ``file``."""

    def __init__(self, file: Path) -> None:
        self._end = hour(time.time()).month_ends.timestamp()
        self.file = file
        self.set(-HOUR)

    def set(self, after_end: float) -> str:
        """Put it so many seconds after the month's end; returns the month that it is then."""
        moment = self._end + after_end
        ahead = f"{moment - time.time():<32.3f}".encode()
        with self.file.open("r+b" if self.file.exists() else "wb") as file:
            file.write(ahead)
        return month_name(moment)


def faults(folder: Path) -> Iterator[Row]:
    """Traffic, each call counted once in whichever month; then an account whose months are distinguished."""
    clock = Clock(folder / "clock.txt")
    settings = {"MODULE": "tests.faults.moved_clock", "CLOCK_FILE_OF_TESTS": str(clock.file)}
    with serving(folder, f"sqlite:///{folder}/brskills.db", **settings) as service:
        trial = Trial(service)
        with trial.running():
            for after_end in (HOUR, -HOUR, 2 * HOUR):
                clock.set(after_end)
                trial.end()
                trial.traffic.goes_on()
        wrong = _told_apart(service, clock)
        row = trial.judged("the clock jumps over the month's end and back", felt=set())
        row.faults += wrong
        yield row


def _told_apart(service: Service, clock: Clock) -> list[str]:
    """What is wrong with the months of an account with a limit; the clock is left in the last one."""
    issued = service.store.accounts.open("free")
    account, key = issued.account, issued.api_key

    def call(times: int = 1, headers: Mapping[str, str] = NO_CLAIM) -> set[int]:
        """The statuses of calls, each over a separate connection: any worker may answer it."""
        url, sent = f"{service.base}{CODES.path}/lote", {"X-API-Key": key, **headers}
        body = {"itens": [CODES.request(1)]}
        requests = (httpx.post(url, json=body, headers=sent, timeout=MAX_SECONDS) for _ in range(times))
        return {answer.status_code for answer in requests}

    claimed = {"Idempotency-Key": "over-the-end"}
    ending = clock.set(-HOUR)
    seen = [call(headers=claimed), call(LIMIT - 1), call(4), call(headers=claimed)]
    following = clock.set(HOUR)
    seen += [call(5), call(headers=claimed)]
    clock.set(-HOUR)
    seen += [call(4)]
    clock.set(HOUR)
    seen += [call(3)]
    last = clock.set(HOUR + MONTH)
    seen += [call(headers=claimed)]  # a day and more later it is another request
    wrong = []
    if seen != [{200}, {200}, {429}, {200}, {200}, {200}, {429}, {200}, {200}]:
        wrong.append(f"an account with a limit was answered {seen}")
    kept = dict(service.store.accounts.get(account).calls)
    if kept != {ending: LIMIT, following: 8, last: 1}:
        wrong.append(f"months were taken for one another: {kept}")
    return wrong
