"""Random schedules of calls with faults of the store before and after its writes: counted against answered.

Takes how many and a seed; prints ``{"schedules", "given_away", "overcounted", "examples"}``. A call without a
repeat key whose answer was lost may be counted or not; whatever was answered and counts must be counted.
"""

from __future__ import annotations

import json
import sys
from random import Random
from typing import Any

from handlers import Faults, Service

CALLS = 6
FAULTS = ("before", "after")
CODE = {"chave": "pix@exemplo.com.br", "nome_recebedor": "Loja", "cidade": "Recife"}


def main() -> None:
    schedules, seed, *urls = int(sys.argv[1]), sys.argv[2], *sys.argv[3:]
    faults = Faults()
    service = Service(faults, **dict(url.split("=", 1) for url in urls))
    given, over, examples = 0, 0, []
    for number in range(schedules):
        counted, least, most = _run(service, faults, Random(f"{seed}/{number}"))
        given += counted < least
        over += counted > most
        if not least <= counted <= most and len(examples) < 3:
            examples.append({"number": number, "counted": counted, "least": least, "most": most})
    print(
        json.dumps({"schedules": schedules, "given_away": given, "overcounted": over, "examples": examples})
    )


def _run(service: Service, faults: Faults, chance: Random) -> tuple[int, int, int]:
    """The calls counted by a new account, and between how many they must be."""
    key, least, doubtful = service.new_key(), 0, 0
    for _ in range(CALLS):
        place, manner = chance.randrange(10), chance.choice(FAULTS)
        faulty = chance.random() < 0.6
        faults.begin(lambda _, at: manner if faulty and at == place else "")  # noqa: B023, run before the next
        function, path, content, cost = _any_call(chance)
        status, answer = service.call(function, "POST", path, key, content)
        made = faults.made
        faults.end()
        answered = _counts(status, answer, cost)
        least += answered
        doubtful += cost - answered if made else 0
    counted = service.call("keys", "GET", "/api/v1/usage", key)[1]["chamadas"]
    return counted, least, least + doubtful


def _any_call(chance: Random) -> tuple[str, str, Any, int]:
    """A function, a path, a request, and what it counts at most."""
    company = f"{chance.randrange(10_000_000, 98_000_000)}"
    match chance.randrange(5):
        case 0 | 1:
            return "pix", "/api/v1/skills/pix", CODE, 1
        case 2:
            return "cnpj", "/api/v1/skills/cnpj", {"cnpj": _number("99" + company[2:])}, 1
        case 3:
            content = {"chave": _number("99" + company[2:]), "tipo_chave": "cnpj"}
            return "cnpj", "/api/v1/skills/pix/conferir", content, 1
        case _:
            cnpjs = [_number(company), _number("99" + company[2:]), _number("99" + company[3:] + "1")]
            return "cnpj", "/api/v1/skills/cnpj/lote", {"cnpjs": cnpjs}, 3


def _counts(status: int, answer: Any, cost: int) -> int:
    if status != 200:
        return 0
    if "contadas" in answer:
        return int(answer["contadas"])
    return 1 if answer.get("evidencia", True) else 0


def _number(root: str) -> str:
    """The number of a company's head office, by the weights of its check digits."""
    digits = [*map(int, f"{root}0001")]
    for _ in range(2):
        weights = [(place % 8) + 2 for place in range(len(digits))]
        rest = sum(digit * weight for digit, weight in zip(reversed(digits), weights, strict=True)) % 11
        digits.append(0 if rest < 2 else 11 - rest)
    return "".join(map(str, digits))


if __name__ == "__main__":
    main()
