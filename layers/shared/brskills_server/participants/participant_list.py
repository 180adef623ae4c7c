"""The list of Pix participants, from the file that ``make participants`` writes."""

import json
from collections.abc import Iterable
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

LIST_FILE = Path(__file__).with_name("participants.json")


class Participant(NamedTuple):
    """An institution. ``ispb`` has 8 characters, or is ``None`` for an initiator without one."""

    ispb: str | None
    name: str
    mode: str


class ParticipantList:
    """A day's list: ``date`` in ISO 8601, ``source`` names who published it."""

    def __init__(self, date: str, source: str, participants: Iterable[Participant]) -> None:
        self.date, self.source, self.participants = date, source, tuple(participants)

    @cached_property
    def _by_ispb(self) -> dict[str, Participant]:
        return {each.ispb: each for each in self.participants if each.ispb}

    def find(self, ispb: str) -> Participant | None:
        """Return the participant with an ISPB, if there is one."""
        return self._by_ispb.get(ispb)


@cache
def participant_list() -> ParticipantList:
    """Return the list that this release includes."""
    content = json.loads(LIST_FILE.read_text("utf-8"))
    return ParticipantList(
        content["date"], content["source"], map(Participant._make, content["participants"])
    )


def describe_psp(ispb: str | None) -> dict[str, Any] | None:
    """Return ``psp`` of an answer: ISPB and name of the participant; ``None`` for anybody else."""
    found = participant_list().find(ispb) if ispb else None
    return {"ispb": found.ispb, "nome": found.name, "participante": True} if found else None
