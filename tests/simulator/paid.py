"""The paid addresses of the simulator, which require their token and return only the requested parts."""

import json
from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import parse_qs

from tests.simulator.replies import Fault, Reply, truth

PAID = {"cnpja": "authorization", "cnpjws": "x_api_token"}
"""The header that carries each one's token."""

TOKENS = {"cnpja": "token-of-an-account-at-cnpja", "cnpjws": "token-of-an-account-at-cnpjws"}


def paid_address(provider: str, headers: Mapping[str, str]) -> str:
    """The provider's name, or ``cnpja:paid`` for a request with a token; names of headers in lower case."""
    return f"{provider}:paid" if PAID.get(provider, "") in headers else provider


def paid_truth(query: str, headers: Mapping[str, str]) -> Fault:
    """What the paid address that a request goes to would say to it on a good day."""

    def reply(provider: str, cnpj: str) -> Reply:
        if headers.get(PAID[provider]) != TOKENS[provider]:
            return Reply(401, b'{"code": 401, "message": "invalid authentication"}')
        reply = truth(provider, cnpj)
        return replace(reply, body=_as_asked(reply.body, query)) if provider == "cnpja" else reply

    return reply


def _as_asked(body: bytes, query: str) -> bytes:
    """CNPJá's answer, without what is not paid for."""
    asked, answer = parse_qs(query), json.loads(body)
    if asked.get("registrations") != ["BR"]:
        answer.pop("registrations", None)
    if asked.get("simples") != ["true"] and "company" in answer:
        answer["company"] |= {"simples": None, "simei": None}
    return json.dumps(answer).encode()
