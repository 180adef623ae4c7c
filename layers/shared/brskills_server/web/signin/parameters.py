"""Parameters of OAuth requests, from a query or a form: each once, in allowed characters."""

import re
from urllib.parse import parse_qsl

from authlib.oauth2.rfc6749 import InvalidRequestError

from brskills_server.web.body import MAX_BODY_BYTES
from brskills_server.web.request import Request

MAX_PARAMETERS = 40
_QUOTABLE = re.compile(r"[ !#-\[\]-~]*")  # characters of an error's description (RFC 6749 §4.1.2.1)
_VISIBLE = re.compile(r"[ -~]*")
_FREE = frozenset({"state", "ui_locales"})  # not quoted in errors
_KNOWN = _FREE | {
    "client_id", "code", "code_challenge", "code_challenge_method", "code_verifier", "grant_type",
    "redirect_uri", "refresh_token", "resource", "response_type", "scope", "token",
}  # fmt: skip
_FORM = "application/x-www-form-urlencoded"


def read_query(request: Request) -> dict[str, str]:
    """Return the known parameters of the query. Raise ``InvalidRequestError``."""
    pairs = [(name, value) for name, values in request.query.items() for value in values]
    if len(pairs) > MAX_PARAMETERS:
        raise InvalidRequestError("Too many parameters.")
    return _checked(_unique(pairs))


def read_form(request: Request, *required: str) -> dict[str, str]:
    """Return the known parameters of a form. Raise ``InvalidRequestError``, also for a query."""
    if request.query:  # proxies log addresses (RFC 6750 §2.3)
        raise InvalidRequestError("Parameters belong in the body, not into the address.")
    found = _checked(read_fields(request))
    for name in required:
        if name not in found:
            raise InvalidRequestError(f"Missing '{name}' in request.")
    return found


def read_fields(request: Request) -> dict[str, str]:
    """Return all fields of a form with arbitrary values. Raise ``InvalidRequestError``."""
    if request.media_type != _FORM:
        raise InvalidRequestError(f"The body must be {_FORM}.")
    if len(request.body) > MAX_BODY_BYTES:
        raise InvalidRequestError(f"The body has more than {MAX_BODY_BYTES} bytes.")
    try:
        text = request.body.decode()
        return _unique(
            parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=MAX_PARAMETERS)
        )
    except ValueError:
        raise InvalidRequestError("The body is not a form.") from None


def _unique(pairs: list[tuple[str, str]]) -> dict[str, str]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise InvalidRequestError("A parameter is given more than once.")
    # An empty parameter counts as missing (RFC 6749 §3.1).
    return {name: value for name, value in found.items() if value}


def _checked(found: dict[str, str]) -> dict[str, str]:
    known = {name: value for name, value in found.items() if name in _KNOWN}
    for name, value in known.items():
        if not (_VISIBLE if name in _FREE else _QUOTABLE).fullmatch(value):
            raise InvalidRequestError("A parameter has characters that it may not have.")
    return known
