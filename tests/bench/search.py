"""Searches in a month of millions: ``python -m tests.bench.search COPY [--write]``.

``COPY``: a folder with a built month (``make copy``). Each kind of search asks for values of companies that
are drawn from it, on one processor, warm. ``--write`` renews the table of docs/evidence/figures.md.
"""

import argparse
import os
import random
import sqlite3
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

from brskills_server.adapters.search.folder import FolderSearch
from brskills_server.adapters.search.search_file import SEARCH_FILE
from brskills_server.adapters.snapshots.folder import FILE, current_name
from brskills_server.registry.search.criteria import Criteria
from brskills_server.registry.search.words import fold
from tests.bench.table import keep
from tests.register.matching import Registered, registered
from tests.services.scenarios import table

DRAWN, ROUNDS = 300, 2
ACTIVE = ("02",)
Kind = Callable[[Registered], Criteria | None]


def _named(one: Registered) -> Criteria:
    return Criteria(names=(tuple(sorted(set(fold(one.company["name"])[:2]))),))


def _opened_then(one: Registered) -> Criteria | None:
    if not one.establishment["opened"]:
        return None
    opened = date.fromisoformat(one.establishment["opened"])
    end = opened + timedelta(days=30)
    return Criteria(activities=_activity(one), states=_state(one), opened_from=opened, opened_to=end)


def _activity(one: Registered) -> tuple[str, ...]:
    return (one.establishment["activity"],)


def _state(one: Registered) -> tuple[str, ...]:
    return (one.establishment["state"],)


def _city(one: Registered) -> tuple[str, ...]:
    return (one.establishment["city"],)


KINDS: dict[str, Kind] = {
    "one word": lambda one: Criteria(names=(fold(one.company["name"])[:1],)),
    "a beginning of 3 letters": lambda one: Criteria(names=((fold(one.company["name"])[0][:3],),)),
    "two words": _named,
    "two words + state + active": lambda one: replace(_named(one), states=_state(one), statuses=ACTIVE),
    "activity + municipality + active": lambda one: Criteria(
        activities=_activity(one), cities=_city(one), statuses=ACTIVE
    ),
    "activity + state + active": lambda one: Criteria(
        activities=_activity(one), states=_state(one), statuses=ACTIVE
    ),
    "activity + state + opened in 31 days": _opened_then,
    "municipality + active": lambda one: Criteria(cities=_city(one), statuses=ACTIVE),
    "CEP": lambda one: Criteria(postal_codes=(one.establishment["postal_code"],)),
    "root": lambda one: Criteria(roots=(one.number[:8],)),
    "partner": lambda one: next(
        (Criteria(partners=(number,)) for kind, number in one.partners if kind == "1"), None
    ),
    "worst: two words + Simples + from a day on": lambda one: replace(
        _named(one),
        states=_state(one),
        simples=True,
        opened_from=date(1990, 5, 17),
    ),
}


def drawn(file: Path, number: int) -> list[Registered]:
    """Return establishments that are spread over a month, with both rows."""
    found: list[Registered] = []
    chance = random.Random(1)
    with sqlite3.connect(file) as connection:
        while len(found) < number:
            begin = f"{chance.randrange(10**8):08}"
            rows = dict(connection.execute("SELECT key, body FROM rows WHERE key >= ? LIMIT 9", [begin]))
            found += list(registered(rows))[:1]
    return found


def measured(search: FolderSearch, asked: list[Criteria], after: str = "") -> list[float]:
    """Return milliseconds of each search, sorted; the first round warms up."""
    times: list[float] = []
    for number in range(ROUNDS):
        for criteria in asked:
            began = time.perf_counter()
            assert search.search(criteria, after, 25)
            if number:
                times.append((time.perf_counter() - began) * 1000)
    return sorted(times)


def rows_of(folder: Path) -> Iterator[list[str]]:
    """Yield the name of each kind, and its median, 99th of a hundred and most milliseconds."""
    search = FolderSearch(folder)
    companies = drawn(folder / (current_name(folder) or "") / FILE, DRAWN)
    middle = sorted(one.number for one in companies)[len(companies) // 2]
    for name, kind in KINDS.items():
        asked = [criteria for one in companies if (criteria := kind(one))]
        if asked:
            yield _row(name, measured(search, asked))
    asked = [criteria for one in companies if (criteria := KINDS["activity + state + active"](one))]
    yield _row("the same, a page from the middle on", measured(search, asked, middle))


def _row(name: str, times: list[float]) -> list[str]:
    chosen = (times[len(times) // 2], times[len(times) * 99 // 100], times[-1])
    return [name, *(f"{milliseconds:.1f}" for milliseconds in chosen)]


def main() -> None:
    """Measure, and keep the table where that is wanted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("copy", type=Path)
    parser.add_argument("--write", action="store_true", help="into docs/evidence/figures.md")
    arguments = parser.parse_args()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    month = arguments.copy / (current_name(arguments.copy) or "")
    with sqlite3.connect(month / SEARCH_FILE) as connection:
        facts = dict(connection.execute("SELECT name, value FROM facts"))
    millions = int(facts["documents"]) / 1e6
    rows = list(rows_of(arguments.copy))
    text = table(["a page of 25 with its total", "p50, ms", "p99, ms", "most, ms"], rows)
    size = (month / SEARCH_FILE).stat().st_size / millions / 1e6
    text += f"\n\n{millions:.2f} million establishments, {size:.0f} bytes of index for each."
    if arguments.write:
        keep("search", text)
    else:
        print(text)


if __name__ == "__main__":
    main()
