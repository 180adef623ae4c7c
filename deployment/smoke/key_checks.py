"""Checks with a key: a Pix code, a refused request, a sandbox company, and what they cost."""

from __future__ import annotations

from collections.abc import Callable

from deployment.smoke.expectations import expect, require
from deployment.smoke.service import Reply, Service

_PIX, _CNPJ = "/api/v1/skills/pix", "/api/v1/skills/cnpj"
_CHARGE = {"chave": "pix@exemplo.com.br", "valor": "1.00", "nome_recebedor": "Teste", "cidade": "São Paulo"}
_COMPANY = "SANDBOX1000170"


def sign_up(service: Service) -> None:
    """Let the service have a new key."""
    reply = expect(service.call("POST", "/api/v1/keys"), 201)
    key = reply.body.get("api_key")
    require(reply, isinstance(key, str), "a key")
    service.key = str(key)


def revoke(service: Service) -> None:
    """Revoke the key."""
    expect(service.call("POST", "/api/v1/keys/revoke"), 204)


class KeyChecks:
    """The checks of one key, in order; ``calls`` is how many calls it has counted this month."""

    def __init__(self, service: Service) -> None:
        self._service, self.calls = service, 0

    def checks(self) -> dict[str, Callable[[], object]]:
        """Return each check by its title; they follow :meth:`usage`."""
        return {
            "a Pix code decodes to the same fields": self.code,
            "the code counts as one call": lambda: self.counted(1),
            "an invalid request is refused": self.refusal,
            "a company of the sandbox is found": self.company,
            "neither counts as a call": lambda: self.counted(0),
        }

    def usage(self) -> Reply:
        """Read how many calls the key has counted."""
        reply = expect(self._service.call("GET", "/api/v1/usage"), 200)
        counted = reply.body.get("chamadas")
        require(reply, isinstance(counted, int), "a number of calls")
        self.calls = int(str(counted))
        return reply

    def code(self) -> None:
        """Expect a code that decodes to what it was created from."""
        created = expect(self._service.call("POST", _PIX, _CHARGE), 200)
        reply = expect(
            self._service.call("POST", f"{_PIX}/decode", {"brcode": created.body.get("brcode")}), 200
        )
        decoded = reply.body.get("campos")
        same = isinstance(decoded, dict) and all(
            decoded.get(name) == created.body.get(name) for name in _CHARGE
        )
        require(reply, same and reply.body.get("valido") is True, "a valid code of the same fields")

    def refusal(self) -> None:
        """Expect the problem of an amount of zero."""
        expect(self._service.call("POST", _PIX, {**_CHARGE, "valor": "0"}), 422, "invalid_fields")

    def company(self) -> None:
        """Expect the active company of the sandbox."""
        reply = expect(self._service.call("GET", f"{_CNPJ}/{_COMPANY}"), 200)
        require(reply, reply.body.get("cnpj") == _COMPANY, f"the company {_COMPANY}")

    def counted(self, expected: int) -> None:
        """Expect so many counted calls since usage was last read."""
        before, reply = self.calls, self.usage()
        found = self.calls - before
        require(reply, found == expected, f"{expected} more calls than before", f"{found} more")
