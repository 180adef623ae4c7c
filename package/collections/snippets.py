"""The guide with the main calls in languages without a client library, written by ``make reference``."""

from __future__ import annotations

import json
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
_SKILLS = "/api/v1/skills"
_TEXTS = {
    "pt": """\
# Exemplos em PHP, Java, Go e C#

As chamadas principais, como esta, em linguagens para as quais não há [biblioteca](clients.md).

{curl}

Cada programa cria um código Pix e o QR (`pix.png`), lê um código, confere quem recebe e consulta empresas.
Troque o endereço e a chave. Quando o status não é 200, o corpo é um [erro](errors.md).
""",
    "en": """\
# Examples in PHP, Java, Go and C#

The main calls, such as this one, in languages for which there is no [library](clients.md).

{curl}

Each program creates a Pix code and its QR (`pix.png`), decodes a code, checks a payee, looks up companies.
Replace address and key. Where the status is not 200, the body is an [error](errors.md).
""",
}


def guide(language: str) -> str:
    """Return the guide in Markdown, in ``pt`` or ``en``."""
    made = {request.id: request for request in requests()}
    curl = _curl(made["getCompany"])
    parts = [_TEXTS[language].format(curl=curl)]
    parts += [f"## {each.title}\n\n```{each.fence}\n{_program(each, made)}```\n" for each in LANGUAGES]
    return "\n".join(parts)


def _curl(request: Request) -> str:
    return f"```sh\ncurl -s {BASE}{request.path} \\\n  -H 'X-API-Key: {PUBLISHED_DEMO_KEY}'\n```"


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
