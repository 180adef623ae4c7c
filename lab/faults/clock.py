"""The clock jumps over a month's end, back and forth, under traffic; then by a month."""

import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import httpx

from brskills_server.accounts.calendar import hour, month_name
from lab.faults.traffic import CODES, MAX_SECONDS
from lab.faults.trial import Row, trial_at
from tests.services.served import Served

HOUR, MONTH = 3600.0, 31 * 86_400.0
LIMIT = 100
NO_CLAIM: Mapping[str, str] = {}

Jump = Callable[[float], str]
"""Set the clock to a number of seconds after the month's end; returns the month of then."""


def faults(folder: Path) -> Iterator[Row]:
    """Yield a row: each call is counted once, in either month, and an account's months stay apart."""
    file, end = folder / "clock.txt", hour(time.time()).month_ends.timestamp()
    settings = {"MODULE": "lab.faults.moved_clock", "CLOCK_FILE_OF_TESTS": str(file)}

    def jump(after_end: float) -> str:
        # Written in place: the processes hold the file open.
        with file.open("r+b" if file.exists() else "wb") as sink:
            sink.write(f"{end + after_end - time.time():<32.3f}".encode())
        return month_name(end + after_end)

    jump(-HOUR)
    with trial_at(folder, **settings) as trial:
        with trial.running():
            for after_end in (HOUR, -HOUR, 2 * HOUR):
                jump(after_end)
                trial.end()
                trial.traffic.wait_for_answers()
        wrong = _confused_months(trial.service, jump)
        row = trial.judged("the clock jumps over the month's end and back", felt=set())
        row.faults += wrong
        yield row


def _confused_months(service: Served, jump: Jump) -> list[str]:
    """Return what is wrong with the months of an account with a limit; the clock stays in the last one."""
    issued = service.store.accounts.open("free")
    account, key = issued.account, issued.api_key

    def call(times: int = 1, headers: Mapping[str, str] = NO_CLAIM) -> set[int]:
        """Return the statuses of calls, each over a separate connection: any worker may answer it."""
        url, sent = f"{service.base}{CODES.path}/lote", {"X-API-Key": key, **headers}
        body = {"itens": [CODES.request(1)]}
        requests = (httpx.post(url, json=body, headers=sent, timeout=MAX_SECONDS) for _ in range(times))
        return {answer.status_code for answer in requests}

    claimed = {"Idempotency-Key": "over-the-end"}
    ending = jump(-HOUR)
    seen = [call(headers=claimed), call(LIMIT - 1), call(4), call(headers=claimed)]
    following = jump(HOUR)
    seen += [call(5), call(headers=claimed)]
    jump(-HOUR)
    seen += [call(4)]
    jump(HOUR)
    seen += [call(3)]
    last = jump(HOUR + MONTH)
    seen += [call(headers=claimed)]  # a day and more later it is another request
    wrong = []
    if seen != [{200}, {200}, {429}, {200}, {200}, {200}, {429}, {200}, {200}]:
        wrong.append(f"an account with a limit was answered {seen}")
    kept = dict(service.store.accounts.get(account).calls)
    if kept != {ending: LIMIT, following: 8, last: 1}:
        wrong.append(f"months were taken for one another: {kept}")
    return wrong
