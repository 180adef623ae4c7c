"""A program that signs in over HTTP, and the person who gives consent."""

from __future__ import annotations

import hashlib
import secrets
from base64 import urlsafe_b64encode
from html.parser import HTMLParser
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx

WEB = "https://assistente.example/retorno"


def challenge_of(verifier: str) -> str:
    return urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")


def parameters_of(address: str) -> dict[str, str]:
    """Return the query parameters of a redirect."""
    return dict(parse_qsl(urlsplit(address).query, keep_blank_values=True))


def consent_query(verifier: str, **changes: str | None) -> dict[str, str]:
    """Return the parameters of a request for consent; a change to ``None`` omits one."""
    parameters = {
        "response_type": "code",
        "redirect_uri": WEB,
        "code_challenge": challenge_of(verifier),
        "code_challenge_method": "S256",
        **changes,
    }
    return {name: value for name, value in parameters.items() if value is not None}


class Fields(HTMLParser):
    """The fields of a page's form that have a value, and what can be read on the page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.values: dict[str, str] = {}
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags.append((tag, found))
        if tag == "input":
            self.values[str(found["name"])] = found.get("value") or ""

    def handle_data(self, data: str) -> None:
        tag, found = self.tags[-1] if self.tags else ("", {})
        if tag == "textarea" and data.strip():
            self.values.setdefault(str(found["name"]), data)
        self.text += data


class Program:
    """A client, with a browser that keeps cookies. ``redirect``: its redirect address."""

    def __init__(self, base: str, redirect: str = WEB) -> None:
        self.base = base
        self.issuer = base
        """What the service calls itself, where that is not how it is reached here."""
        self.redirect = redirect
        self.verifier = secrets.token_urlsafe(32)
        self.id = ""
        self.http = httpx.Client(base_url=base, timeout=60)

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def register(self, **metadata: Any) -> httpx.Response:
        said = {"client_name": "Assistente", "redirect_uris": [self.redirect], **metadata}
        answer = self.http.post("/oauth/register", json=said)
        self.id = answer.json().get("client_id", "")
        return answer

    def asked(self, **changes: str | None) -> dict[str, str]:
        own = {"client_id": self.id, "redirect_uri": self.redirect, "state": 'of the "program"'}
        return consent_query(self.verifier, **{**own, "resource": f"{self.issuer}/mcp", **changes})

    def page(self, headers: dict[str, str] | None = None, **changes: str | None) -> httpx.Response:
        return self.http.get("/oauth/authorize", params=self.asked(**changes), headers=headers)

    def answer(
        self, page: httpx.Response, headers: dict[str, str] | None = None, **fields: str
    ) -> httpx.Response:
        """What a person says on a page that was opened: its form, with the fields that they fill in."""
        sent = {**Fields(page.text).values, **fields}
        return self.http.post(page.url, data=sent, headers=headers or {"Sec-Fetch-Site": "same-origin"})

    def code(self, key: str, **changes: str | None) -> str:
        """The code for what is allowed by a key."""
        answer = self.answer(self.page(**changes), key=key, answer="allow")
        assert answer.status_code == 303, answer.text
        return parameters_of(answer.headers["location"])["code"]

    def redeem(self, code: str, **changes: str | None) -> httpx.Response:
        fields: dict[str, str | None] = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.redirect,
            "code_verifier": self.verifier,
        }
        return self.ask(**{**fields, **changes})

    def refresh(self, token: str, **changes: str | None) -> httpx.Response:
        return self.ask(grant_type="refresh_token", refresh_token=token, **changes)

    def ask(self, **fields: str | None) -> httpx.Response:
        """The token endpoint; a field of ``None`` is left out."""
        sent = {"client_id": self.id, **fields}
        return self.http.post(
            "/oauth/token", data={name: value for name, value in sent.items() if value is not None}
        )

    def revoke(self, token: str, **fields: str) -> httpx.Response:
        return self.http.post("/oauth/revoke", data={"client_id": self.id, "token": token, **fields})
