"""The answer to a batch: an entry for each item."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from brskills_server.skills.answer_size import MAX_ANSWER_BYTES, sent_bytes, too_large
from brskills_server.skills.errors import classify
from brskills_server.skills.skill import Call, Skill

_SPARE_BYTES = 100_000
"""Part of an answer's limit for what is around the entries, and for the problems of those that do not fit."""


class BatchAnswer(NamedTuple):
    """The JSON entry of each item, and the answer or error in it.

    ``calls``: what the batch costs; ``before``: how much of it an earlier request counted.
    """

    entries: Sequence[str]
    results: Sequence[Any]
    calls: int
    before: int

    def json(self) -> str:
        """Return the body of the answer: the entry of each item, and what all of them cost."""
        return f'{{"resultados":[{",".join(self.entries)}],"contadas":{self.calls}}}'

    def outcomes(self) -> Iterator[str]:
        """Yield the outcome of each item: as many are ``counted`` as the month's count has grown."""
        counted = max(0, self.calls - self.before)
        for kind in map(classify, self.results):
            if kind == "answered":
                yield "counted" if counted > 0 else "free"
                counted -= 1
            else:
                yield kind


def write_entries(skill: Skill, results: list[Any], call: Call) -> list[str]:
    """Return each result written; replace an answer that does not fit beside the others by an error.

    Problems are written first: they are short and never left out.
    """
    entries = [""] * len(results)

    def write_problem(place: int, error: Exception) -> int:
        results[place], entries[place] = error, _problem(place, call.to_problem(error))
        return sent_bytes(entries[place])

    errors = [(place, error) for place, error in enumerate(results) if isinstance(error, Exception)]
    room = MAX_ANSWER_BYTES - _SPARE_BYTES - sum(write_problem(*entry) for entry in errors)
    for place in (place for place, entry in enumerate(entries) if not entry):
        entry = f'{{"indice":{place},"status":200,"resposta":{skill.write(results[place])}}}'
        size = sent_bytes(entry)
        if size > room:
            write_problem(place, too_large())
        else:
            entries[place] = entry
            room -= size
    return entries


def _problem(place: int, problem: dict[str, Any]) -> str:
    written = json.dumps(problem, ensure_ascii=False, separators=(",", ":"))
    return f'{{"indice":{place},"status":{problem["status"]},"problema":{written}}}'
