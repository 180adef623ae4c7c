"""Client metadata: sent to register (RFC 7591), or in a document at the client's own address."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, Field, ValidationError, field_validator, model_validator

from brskills_server.accounts.grant import Client
from brskills_server.web.signin.redirects import destination_of, without_port

MAX_ADDRESSES = 10
NAME_LETTERS = 60
MAX_MARKS = 2
"""Combining marks on one letter: more would cover the neighbouring lines."""
_WEB_PAGE = re.compile(r"https?://[!-~]+")
_INVISIBLE = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters and a symbol without a glyph


class InvalidMetadata(Exception):
    """Invalid metadata: ``code`` as of RFC 7591 §3.2.2, ``reason`` without parts of the input."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class ClientMetadata(BaseModel):
    """The members in use; anybody may register under any name. Others are ignored: every client is public."""

    redirect_uris: list[str] = Field(min_length=1, max_length=MAX_ADDRESSES)
    client_name: str = Field("", max_length=1000)
    client_uri: str | None = Field(None, max_length=1000)
    grant_types: list[str] = ["authorization_code"]
    response_types: list[str] = ["code"]

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, content: Any) -> Any:
        if not isinstance(content, dict):
            return content
        return {name: value for name, value in content.items() if value is not None}

    @field_validator("client_name")
    @classmethod
    def _displayable(cls, name: str) -> str:
        """Remove what hides letters, changes their direction or covers others."""
        return " ".join("".join(_visible(name)).split())[:NAME_LETTERS]

    @field_validator("client_uri")
    @classmethod
    def _web_page(cls, address: str) -> str | None:
        """Drop other addresses, as RFC 7591 §2 allows."""
        return address if _WEB_PAGE.fullmatch(address) else None

    @property
    def identity(self) -> tuple[str, list[str], str | None]:
        """Return name, redirect addresses and page: equal ones are the same client."""
        return self.name, [without_port(address) for address in self.redirect_uris], self.client_uri

    @property
    def name(self) -> str:
        """Return the client's name, or its destination if it has none."""
        destination = destination_of(without_port(self.redirect_uris[0]))
        return self.client_name or (destination.name if destination else "")


def read_metadata(content: Any) -> ClientMetadata:
    """Return valid metadata. Raise ``InvalidMetadata``."""
    try:
        metadata = ClientMetadata.model_validate(content, strict=True)
    except ValidationError as error:
        fields = {str(issue["loc"][0]) if issue["loc"] else "" for issue in error.errors()}
        code = "invalid_redirect_uri" if fields == {"redirect_uris"} else "invalid_client_metadata"
        names = ", ".join(sorted(fields)) or "the object"
        raise InvalidMetadata(code, f"Not as RFC 7591 has it: {names}.") from None
    if not all(destination_of(address) for address in metadata.redirect_uris):
        raise InvalidMetadata(
            "invalid_redirect_uri",
            "Every redirect URI must be https, http on 127.0.0.1, [::1] or localhost, or a scheme of the "
            "program's own with a dot in it; without user, fragment or steps upwards.",
        )
    if "authorization_code" not in metadata.grant_types or "code" not in metadata.response_types:
        raise InvalidMetadata("invalid_client_metadata", "Only the grant type authorization_code is here.")
    return metadata


def registration_response(client: Client, metadata: ClientMetadata) -> dict[str, Any]:
    """Return the response to a registration: what was sent and what every client gets."""
    return {
        "client_id": client.id,
        "client_id_issued_at": client.created_at,
        "client_name": client.name,
        **({"client_uri": client.uri} if client.uri else {}),
        "redirect_uris": metadata.redirect_uris,
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
    }


def _visible(name: str) -> Iterator[str]:
    marks = MAX_MARKS  # a mark needs a letter before it
    for character in name:
        kind = unicodedata.category(character)[0]
        if kind in "CZ" or character in _INVISIBLE:
            marks = MAX_MARKS
            yield " "
        elif kind != "M":
            marks = 0
            yield character
        elif marks < MAX_MARKS:
            marks += 1
            yield character
