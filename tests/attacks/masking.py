"""CPFs in a company's names, written with other dashes, other blanks and zero-width letters."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from typing import Any

from tests.attacks.outcome import Check, Outcome
from tests.attacks.providers import changed
from tests.attacks.target import Context
from tests.simulator import PROVIDERS, Simulator
from tests.simulator.companies import numbers

CPF = "11144477735"
WRITTEN = (
    "111.444.777-35",
    "111.444.777\u201335",
    "111\u2013444\u2013777\u201335",
    "111\u2014444\u2014777\u201435",
    "111.444.777\u221235",
    "111.444.777\u201035",
    "111. 444. 777 - 35",
    "111 . 444 . 777 - 35",
    "111\u00a0444\u00a0777\u00a035",
    "1\u200b11444777\u200b35",
    "111\u2060444\u2060777\u206035",
    "111\u00ad444\u00ad777\u00ad35",
    "\uff11\uff11\uff11\uff14\uff14\uff14\uff17\uff17\uff17\uff13\uff15",
    "111\u202f444\u202f777\u202f35",
)
FURTHER = ("111\u00b7444\u00b7777-35", "1 1 1 4 4 4 7 7 7 3 5", "111,444,777-35", "111_444_777_35")
"""Counted apart, without a limit: nobody is known to write a CPF so."""


def attack(context: Context) -> Iterator[Outcome]:
    """Each form in a trade name, a legal name and a partner's document."""
    forms = (*WRITTEN, *FURTHER)
    known = dict(zip(numbers("46000000", len(forms)), forms, strict=True))

    def poisoned(record: dict[str, Any]) -> dict[str, Any]:
        form = known.get(record["cnpj"], "")
        partner = {**record["socios"][0], "documento": form}
        names = {"razao_social": f"JOAO DE EXEMPLO {form}", "nome_fantasia": f"{form} JOAO"}
        return {**record, **names, "socios": [partner]}

    with Simulator() as providers, context.serving(providers) as target:
        for provider in PROVIDERS:
            providers.play(provider, changed(poisoned))
        caller = target.caller(target.new_key("enterprise"))
        answers = {form: caller.get(f"/api/v1/skills/cnpj/{cnpj}") for cnpj, form in known.items()}
        log = (target.folder / "output.txt").read_text()
    shown = {form for form, answer in answers.items() if _shows(answer.content)}
    answered = sum(answer.status == 200 for answer in answers.values())
    outcome = Outcome("masking", f"a CPF in {len(forms)} forms, in names and documents")
    outcome.spent = {"forms shown": json.dumps(sorted(shown)), "in the log": int(_digits(log))}
    outcome.checks = [
        Check("forms that arrive unmasked", len(shown & {*WRITTEN}), most=0),
        Check("records that were answered", answered, least=len(forms)),
    ]
    yield outcome


def _shows(content: Any) -> bool:
    if isinstance(content, dict):
        return any(map(_shows, content.values()))
    if isinstance(content, list):
        return any(map(_shows, content))
    return isinstance(content, str) and _digits(content)


def _digits(text: str) -> bool:
    """Whether the number is in a text, whatever stands between its digits."""
    plain = unicodedata.normalize("NFKC", text)
    return CPF in re.sub(r"[\W_]", "", plain)
