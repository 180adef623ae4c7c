"""Custom skills that misbehave, each in one way: a module that tests lay into a folder as a package's."""

import logging
import threading
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from brskills_server.skills.custom import CUSTOM, endpoints_of
from brskills_server.skills.errors import ApiError
from brskills_server.skills.skill import Call, Skill, Texts, never


class Asked(BaseModel):
    """O que se pergunta."""

    model_config = ConfigDict(extra="forbid")

    texto: str = Field(description="Um texto.", examples=["segredo"])


class Reply(BaseModel):
    """O que se responde."""

    texto: str


class More(Reply):
    """Mais do que se declara."""

    interno: str = "not to be shown"


class Measured(BaseModel):
    """Um número que o JSON não tem."""

    model_config = ConfigDict(ser_json_inf_nan="constants")

    quanto: float


class Stranger(BaseModel):
    """Outra coisa."""

    texto: str = ""


def odd(name: str, answer: Any, **changes: Any) -> Skill:
    """A declaration that is right, around an ``answer`` that may not be."""
    guide = f"curl {{base}}/api/v1/skills/custom/{name} -H 'X-API-Key: {{key}}'"
    members: dict[str, Any] = {
        "name": name,
        "scope": CUSTOM,
        "texts": Texts("Título", "Faz.", "sempre.", "nunca.", "Nada.", "It does.", guide),
        "request": Asked,
        "result": Reply,
        "answer": answer,
        "endpoints": endpoints_of(name, {"um": {"texto": "segredo"}}),
        "seconds": 10,
    }
    return Skill(**{**members, **changes})


def _raising(error: BaseException) -> Any:
    def answer(asked: Asked, _call: Call) -> Reply:
        raise error

    return answer


def _quoting(asked: Asked, _call: Call) -> Reply:
    raise ValueError(f"{asked.texto} is not to be printed")


def _for_ever(_asked: object, _call: object = None) -> Any:
    threading.Event().wait()


def _taking_back(asked: Asked, call: Call) -> Reply:
    call.session.release()
    return Reply(texto=asked.texto)


def _in_a_thread(asked: Asked, _call: Call) -> Reply:
    def work() -> None:
        raise ValueError(f"{asked.texto} is not to be printed")

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return Reply(texto="done")


def _left_open(asked: Asked, _call: Call) -> Reply:
    def steps() -> Iterator[None]:
        try:
            yield
        finally:
            raise ValueError(f"{asked.texto} is not to be printed")

    next(steps())
    return Reply(texto="done")


def _logging(asked: Asked, _call: Call) -> Reply:
    logging.getLogger("odd").warning("%d is no number", asked.texto)
    return Reply(texto="done")


ODD_ECHO = odd("odd_echo", lambda asked, call: Reply(texto=asked.texto))
ODD_FREE = odd("odd_free", lambda asked, call: Reply(texto=asked.texto), counts=never)
ODD_CRASH = odd("odd_crash", _quoting)
ODD_EXIT = odd("odd_exit", _raising(SystemExit(3)))
ODD_STRANGER = odd("odd_stranger", lambda asked, call: Stranger())
ODD_UNCHECKED = odd("odd_unchecked", lambda asked, call: Reply.model_construct(texto=object()))
ODD_UNSENDABLE = odd("odd_unsendable", lambda asked, call: Reply(texto="\ud800"))
ODD_HUGE = odd("odd_huge", lambda asked, call: Reply(texto="x" * 300_000))
ODD_NUMBER = odd("odd_number", lambda asked, call: Measured(quanto=float("nan")), result=Measured)
ODD_MORE = odd("odd_more", lambda asked, call: More(texto=asked.texto))
ODD_THREAD = odd("odd_thread", _in_a_thread)
ODD_LEFT = odd("odd_left", _left_open)
ODD_LOGGER = odd("odd_logger", _logging)
ODD_LATE = odd("odd_late", _for_ever, seconds=0.3)
ODD_PREPARING = odd("odd_preparing", lambda asked, call: Reply(texto=""), prepare=_for_ever, seconds=0.2)
ODD_THIEF = odd("odd_thief", _taking_back)
ODD_CODE = odd("odd_code", _raising(ApiError("no_such_code", counts=True)))
ODD_SOURCE = odd("odd_source", _raising(ApiError("sources_unavailable", retry_after=7, counts=True)))

ALL = {name.lower(): name for name in list(globals()) if name.startswith("ODD_")}
"""Entry points: a skill's name → its name in this module."""
