"""Every single and double fault of a rotation without overlap: does its owner still have a working key?

Prints ``{"cases", "without_key", "examples"}``.
"""

from __future__ import annotations

import json
import re
from itertools import combinations
from typing import Any

from handlers import Faults, Service

OPERATIONS = 8  # of the authorizer and the rotation, second looks among them
MANNERS = ("before", "after")


def main() -> None:
    faults = Faults()
    service = Service(faults)
    single = [((place, manner),) for place in range(OPERATIONS) for manner in MANNERS]
    places = combinations(range(OPERATIONS), 2)
    double = [((a, one), (b, two)) for a, b in places for one in MANNERS for two in MANNERS]
    lost = [list(case) for case in (*single, *double) if not _keeps_a_key(service, faults, dict(case))]
    said = {"cases": len(single) + len(double), "without_key": len(lost), "examples": lost[:4]}
    print(json.dumps(said))


def _keeps_a_key(service: Service, faults: Faults, case: dict[int, str]) -> bool:
    old = service.new_key()
    faults.begin(lambda _, number: case.get(number, ""))
    answered = _rotate(service, old)
    faults.end()
    shown = re.findall(r"brsk_[0-9A-Za-z]{20,}", json.dumps(answered))
    if any(_works(service, key) for key in (old, *shown)):
        return True
    again = _rotate(service, old)  # a second look later, by who has the old key alone
    shown = re.findall(r"brsk_[0-9A-Za-z]{20,}", json.dumps(again))
    return any(_works(service, key) for key in shown)


def _rotate(service: Service, key: str) -> Any:
    content = {"sobreposicao_segundos": 0}
    return service.call("keys", "POST", "/api/v1/keys/rotate", key, content)


def _works(service: Service, key: str) -> bool:
    return service.call("keys", "GET", "/api/v1/usage", key)[0] == 200


if __name__ == "__main__":
    main()
