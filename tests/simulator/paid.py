"""What each address of the providers replies; a paid one requires a token and returns what was requested."""

import json
from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import parse_qs

from tests.simulator.replies import FAULTS, Fault, Reply, truth

PAID = {"cnpja": "authorization", "cnpjws": "x_api_token"}
"""The header that carries each one's token."""

TOKENS = {"cnpja": "token-of-an-account-at-cnpja", "cnpjws": "token-of-an-account-at-cnpjws"}


class Plays:
    """The reply of each provider: the truth, unless a fault is played. A paid address is ``cnpja:paid``."""

    def __init__(self) -> None:
        self._plays: dict[str, Fault] = {}

    def play(self, provider: str, fault: str | Fault) -> None:
        """Let a provider reply with a fault, given by name or as a function; "truth" ends it."""
        if fault == "truth":
            self._plays.pop(provider, None)
        else:
            self._plays[provider] = fault if callable(fault) else FAULTS[fault]

    def reply(self, address: str, cnpj: str, query: str, headers: Mapping[str, str]) -> Reply:
        provider, _, is_paid = address.partition(":")
        default = paid_truth(query, headers) if is_paid else truth
        return self._plays.get(address, default)(provider, cnpj)


def paid_address(provider: str, headers: Mapping[str, str]) -> str:
    """The provider's name, or ``cnpja:paid`` for a request with a token; names of headers in lower case."""
    return f"{provider}:paid" if PAID.get(provider, "") in headers else provider


def paid_truth(query: str, headers: Mapping[str, str]) -> Fault:
    """Return the right reply of a paid address."""

    def reply(provider: str, cnpj: str) -> Reply:
        if headers.get(PAID[provider]) != TOKENS[provider]:
            return Reply(401, b'{"code": 401, "message": "invalid authentication"}')
        reply = truth(provider, cnpj)
        return replace(reply, body=_as_asked(reply.body, query)) if provider == "cnpja" else reply

    return reply


def _as_asked(body: bytes, query: str) -> bytes:
    """Return CNPJá's answer without the parts that were not requested."""
    asked, answer = parse_qs(query), json.loads(body)
    if asked.get("registrations") != ["BR"]:
        answer.pop("registrations", None)
    if asked.get("simples") != ["true"] and "company" in answer:
        answer["company"] |= {"simples": None, "simei": None}
    return json.dumps(answer).encode()
