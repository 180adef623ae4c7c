"""The replies of the simulated providers: right answers, and every fault."""

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal

from brskills_server.registry.providers.provider import CONTROLS
from tests.simulator.companies import DATA, company, exists, recorded
from tests.simulator.dialects import DIALECTS

Manner = Literal["whole", "half", "slow", "silent", "close", "close-after", "close-if-reused", "refused"]


@dataclass(frozen=True)
class Reply:
    """A reply: ``after`` so many seconds, in a ``manner`` of sending its body.

    ``raw``: the body is all that is sent, its status line and headers included.
    """

    status: int
    body: bytes
    headers: dict[str, str] = field(default_factory=lambda: {"content-type": "application/json"})
    after: float = 0.0
    manner: Manner = "whole"
    raw: bool = False


Fault = Callable[[str, str], Reply]
"""Provider id and number → reply."""

DENIALS = {
    "opencnpj": (404, (DATA / "opencnpj/erro_404.json").read_bytes()),
    "brasilapi": (404, (DATA / "brasilapi/erro_404.json").read_bytes()),
    "minhareceita": (404, (DATA / "minhareceita/erro_404.json").read_bytes()),
    "cnpja": (404, (DATA / "cnpja/openapi_ErrorNotFoundDto.json").read_bytes()),
    "cnpjws": (404, b'{"status": 404, "titulo": "Nao encontrado", "detalhes": "CNPJ nao encontrado"}'),
    "receitaws": (200, b'{"status": "ERROR", "message": "CNPJ rejeitado pela Receita Federal"}'),
}
_CHALLENGE = b"<!DOCTYPE html><html><title>Just a moment...</title></html>"
_HTML = {"content-type": "text/html"}


def truth(provider: str, cnpj: str) -> Reply:
    """Return the right reply of a provider."""
    if not exists(provider, cnpj):
        return denial(provider, cnpj)
    return Reply(200, _body(provider, cnpj))


@lru_cache(maxsize=1024)
def _body(provider: str, cnpj: str) -> bytes:
    return recorded().get((provider, cnpj)) or json.dumps(DIALECTS[provider](company(cnpj))).encode()


def denial(provider: str, _: str) -> Reply:
    """Deny every number, as in an outage."""
    return Reply(*DENIALS[provider])


def false_404(provider: str, cnpj: str) -> Reply:
    """Deny every number but the controls."""
    return truth(provider, cnpj) if cnpj in CONTROLS else denial(provider, cnpj)


def _changed(**changes: object) -> Fault:
    def reply(provider: str, cnpj: str) -> Reply:
        return replace(truth(provider, cnpj), **changes)  # type: ignore[arg-type]

    return reply


def _always(reply: Reply) -> Fault:
    return lambda _provider, _cnpj: reply


def _renamed(provider: str, name: object) -> bytes:
    answer = DIALECTS[provider](company("11222333000181"))
    where = answer["company"] if provider == "cnpja" else answer
    where[{"cnpja": "name", "receitaws": "nome"}.get(provider, "razao_social")] = name
    return json.dumps(answer).encode()


def _sent(head: str, body: bytes | None = None, manner: Manner = "close-after") -> Fault:
    """The truth, or another body, behind a head as it is written here."""

    def reply(provider: str, cnpj: str) -> Reply:
        whole = truth(provider, cnpj).body if body is None else body
        return Reply(200, head.format(length=len(whole)).encode() + whole, manner=manner, raw=True)

    return reply


def _empty_name(provider: str, _: str) -> Reply:
    return Reply(200, _renamed(provider, "  "))


def _wrong_types(provider: str, _: str) -> Reply:
    return Reply(200, _renamed(provider, ["not", "a", "name"]))


def _other_company(provider: str, _: str) -> Reply:
    return truth(provider, "11444777000161")


FAULTS: dict[str, Fault] = {
    "challenge": _always(Reply(403, _CHALLENGE, _HTML)),
    "429": _always(Reply(429, b"Too many requests, please try again later.", {"content-type": "text/plain"})),
    "429-retry-after": _always(Reply(429, b"{}", {"retry-after": "120"})),
    "500": _always(Reply(500, (DATA / "brasilapi/erro_500_upstream_429.json").read_bytes())),
    "503-after-10s": _always(
        Reply(503, (DATA / "minhareceita/erro_503_2026-10-01.json").read_bytes(), after=10.0)
    ),
    "504-retry-after": _always(
        Reply(
            504, (DATA / "brasilapi/erro_504_cloudflare_2026-10-01.json").read_bytes(), {"retry-after": "120"}
        )
    ),
    "half-body": _changed(manner="half"),
    "slow-bytes": _changed(manner="slow"),
    "silent": _changed(manner="silent"),
    "closed": _changed(manner="close"),
    "closed-when-reused": _changed(manner="close-if-reused"),
    "wrong-types": _wrong_types,
    "empty-name": _empty_name,
    "other-company": _other_company,
    "false-404": false_404,
    "denies-all": denial,
    "html-404": _always(Reply(404, b"<html>no such page</html>", _HTML)),
    "garbage-200": _always(Reply(200, (DATA / "brasilapi/erro_200_html_do_upstream.json").read_bytes())),
    "html-200": _always(Reply(200, _CHALLENGE, _HTML)),
    "error-in-200": _always(Reply(200, (DATA / "receitaws/erro_200_invalido.json").read_bytes())),
    "deep-json": _always(Reply(200, b'{"a":' * 100_000 + b"1" + b"}" * 100_000)),
    "nan": _always(Reply(200, b'{"cnpj": "11222333000181", "capital_social": NaN}')),
    "huge-number": _always(Reply(200, b'{"capital_social": ' + b"9" * 10_000 + b"}")),
    "lone-surrogate": _always(Reply(200, b'{"cnpj": "11222333000181", "razao_social": "\\ud800"}')),
    "huge-body": _always(Reply(200, b'{"a": "' + b"x" * (3 * 1024 * 1024) + b'"}')),
    "gzip-unasked": _changed(headers={"content-encoding": "gzip"}),
    "gzip-bomb": _always(Reply(200, gzip.compress(b" " * 10**7), {"content-encoding": "identity, gzip"})),
    "gzip-transfer": _sent("HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, chunked\r\n\r\n"),
    "huge-header": _sent("HTTP/1.1 200 OK\r\nx: " + "x" * 300_000 + "\r\ncontent-length: {length}\r\n\r\n"),
    "endless-headers": _sent("HTTP/1.1 200 OK\r\n" + "x: y\r\n" * 100_000, b""),
    "slow-headers": _sent("HTTP/1.1 200 OK\r\nx: " + "x" * 10_000, b"", "slow"),
    "interim-flood": _sent("HTTP/1.1 103 Early Hints\r\n\r\n" * 10_000, b""),
    "tiny-chunks": _sent(
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n" + "1\r\n \r\n" * 20_000 + "0\r\n\r\n", b""
    ),
    "two-lengths": _sent("HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: {length}\r\n\r\n"),
    "too-short-a-length": _sent("HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n"),
    "no-http": _sent("<html>hello"),
    "odd-status": _sent("HTTP/1.1 99999 OK\r\ncontent-length: {length}\r\n\r\n"),
    "no-content": _sent("HTTP/1.1 204 No Content\r\n\r\n"),
    "upgrade": _sent("HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"),
    "redirect": _always(Reply(302, b"", {"location": "http://127.0.0.2/elsewhere"})),
}
