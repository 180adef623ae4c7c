"""The kinds of searches that are measured, and companies of a month whose values they ask for."""

import random
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

from brskills_server.registry.search.criteria import Criteria
from brskills_server.registry.search.words import fold
from tests.register.matching import Registered, registered

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
    "activity + state + active, a page from the middle on": lambda one: Criteria(
        activities=_activity(one), states=_state(one), statuses=ACTIVE
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
