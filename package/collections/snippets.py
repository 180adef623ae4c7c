"""The main calls in languages without a client library: programs that ``make reference`` writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from brskills_server.runtime.settings import PUBLISHED_DEMO_KEY
from package.collections.languages import LANGUAGES, Language
from package.collections.requests import BASE, Request, requests


class Call(NamedTuple):
    """An operation by its id, an example of its body by name, and the media type to accept."""

    id: str
    example: str = ""
    accept: str = "application/json"


_PIX = Call("createPixCode", "estatico")
CALLS = (
    _PIX,
    _PIX._replace(accept="image/png"),
    Call("decodePixCode", "codigo"),
    Call("checkPixPayee", "chave"),
    Call("getCompany"),
    Call("lookUpCompanies", "sandbox"),
)
FOLDER = Path(__file__).parents[2] / "examples/languages"
_SKILLS = "/api/v1/skills"


def programs() -> dict[str, str]:
    """Return the programs by the names of their files."""
    made = {request.id: request for request in requests()}
    return {each.file: _program(each, made) for each in LANGUAGES}


def _program(language: Language, made: dict[str, Request]) -> str:
    before, _, after = language.program.partition("CALLS")
    indent = before.rpartition("\n")[2]
    calls = f"\n{indent}".join(_statement(language, call, made[call.id]) for call in CALLS)
    values = {
        "BASE": BASE,
        "KEY": PUBLISHED_DEMO_KEY,
        "PIX": _literal(language, made[_PIX.id].examples[_PIX.example]),
    }
    for place, value in values.items():
        before = before.replace(place, value)
    return f"{before}{calls}{after}"


def _statement(language: Language, call: Call, request: Request) -> str:
    example = request.examples.get(call.example, "")
    statement = language.save if call.accept == "image/png" else language.show
    return statement.format(
        method=request.method,
        path=request.path.removeprefix(_SKILLS),
        body=language.pix if call.id == _PIX.id else _literal(language, example),
        accept=call.accept,
    )


def _literal(language: Language, example: Any) -> str:
    return language.text.format(json=json.dumps(example, ensure_ascii=False)) if example else '""'
