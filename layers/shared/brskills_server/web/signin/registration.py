"""What a client says of itself: to register (RFC 7591), or in a document at its own address.

Nothing of it is believed but where it may be sent: whoever registers may call itself anything.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, Field, ValidationError, field_validator, model_validator

from brskills_server.accounts.grant import Client
from brskills_server.web.signin.redirects import destination_of, without_port

__all__ = ["ClientMetadata", "InvalidMetadata", "read_metadata", "registered"]

MOST_ADDRESSES = 10
NAME_LETTERS = 60
MOST_MARKS = 2
"""On one letter: with more, a name covers the lines beside it."""
_PAGE = re.compile(r"https?://[!-~]+")
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters and a symbol, which nobody sees


class InvalidMetadata(Exception):
    """What is said cannot be taken; ``code`` is one of RFC 7591 §3.2.2, ``reason`` quotes nothing of it."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class ClientMetadata(BaseModel):
    """The members that mean something here. Others may be there: every client is public all the same."""

    redirect_uris: list[str] = Field(min_length=1, max_length=MOST_ADDRESSES)
    client_name: str = Field("", max_length=1000)
    client_uri: str | None = Field(None, max_length=1000)
    grant_types: list[str] = ["authorization_code"]
    response_types: list[str] = ["code"]

    @model_validator(mode="before")
    @classmethod
    def _said(cls, content: Any) -> Any:
        """Some programs write null for what they do not say."""
        if not isinstance(content, dict):
            return content
        return {name: value for name, value in content.items() if value is not None}

    @field_validator("client_name")
    @classmethod
    def _readable(cls, name: str) -> str:
        """A line without what hides letters, turns their order or covers others."""
        return " ".join("".join(_visible(name)).split())[:NAME_LETTERS]

    @field_validator("client_uri")
    @classmethod
    def _page(cls, address: str) -> str | None:
        """The address of a page; any other is left out, as RFC 7591 §2 allows."""
        return address if _PAGE.fullmatch(address) else None

    @property
    def known_by(self) -> tuple[str, list[str], str | None]:
        """Name, redirect addresses and page: what makes it this client and no other."""
        return self.name, [without_port(address) for address in self.redirect_uris], self.client_uri

    @property
    def name(self) -> str:
        """What the client calls itself, or where it is if it does not."""
        named = destination_of(without_port(self.redirect_uris[0]))
        return self.client_name or (named.name if named else "")


def read_metadata(content: Any) -> ClientMetadata:
    """What a client says; raises ``InvalidMetadata``."""
    try:
        said = ClientMetadata.model_validate(content, strict=True)
    except ValidationError as error:
        about = {str(fault["loc"][0]) if fault["loc"] else "" for fault in error.errors()}
        code = "invalid_redirect_uri" if about == {"redirect_uris"} else "invalid_client_metadata"
        named = ", ".join(sorted(about)) or "the object"
        raise InvalidMetadata(code, f"Not as RFC 7591 has it: {named}.") from None
    if not all(destination_of(address) for address in said.redirect_uris):
        raise InvalidMetadata(
            "invalid_redirect_uri",
            "Every redirect URI must be https, http on 127.0.0.1, [::1] or localhost, or a scheme of the "
            "program's own with a dot in it; without user, fragment or steps upwards.",
        )
    if "authorization_code" not in said.grant_types or "code" not in said.response_types:
        raise InvalidMetadata("invalid_client_metadata", "Only the grant type authorization_code is here.")
    return said


def registered(client: Client, said: ClientMetadata) -> dict[str, Any]:
    """What a client is told that has registered: what it said, and what it gets whatever it said."""
    page = {"client_uri": client.uri} if client.uri else {}
    return {
        "client_id": client.id,
        "client_id_issued_at": client.created_at,
        "client_name": client.name,
        **page,
        "redirect_uris": said.redirect_uris,
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
    }


def _visible(name: str) -> Iterator[str]:
    marks = MOST_MARKS  # there is no letter yet that one could be on
    for character in name:
        kind = unicodedata.category(character)[0]
        if kind in "CZ" or character in _BLANK:
            marks = MOST_MARKS
            yield " "
        elif kind != "M":
            marks = 0
            yield character
        elif marks < MOST_MARKS:
            marks += 1
            yield character
