"""Protection of the consent form against requests forged by other sites.

The browser states the form's origin, and the form has an HMAC of the request under a secret in a cookie.
"""

import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Mapping
from urllib.parse import urlsplit

from brskills_server.web.request import Request

SECONDS = 3600
_SECRET = re.compile(r"[A-Za-z0-9_-]{43}")


def secret_of(request: Request, base: str) -> str | None:
    """Return the secret in the browser's cookie."""
    # Not by http.cookies, which fails at a malformed cookie of another service on this host. Neither a comma
    # nor white space that only Python strips begins a cookie: neighbouring hosts can set such values.
    for cookie in request.headers.get("cookie", "").split(";"):
        name, _, value = cookie.strip(" \t").partition("=")
        if name == _name(base) and _SECRET.fullmatch(value):
            return value
    return None


def cookie_for(secret: str | None, base: str) -> tuple[str, str]:
    """Return the secret, or a new one, and its ``Set-Cookie``. Another tab may depend on the present one."""
    kept = secret or secrets.token_urlsafe(32)
    secure = "; Secure" if base.startswith("https:") else ""
    return kept, f"{_name(base)}={kept}; Path=/; Max-Age={SECONDS}; HttpOnly; SameSite=Lax{secure}"


def token_for(secret: str, parameters: Mapping[str, str]) -> str:
    """Return the form's token for an authorization request."""
    message = json.dumps(sorted(parameters.items()))
    return hmac.new(secret.encode(), message.encode(), hashlib.sha256).hexdigest()


def find_mismatch(request: Request, base: str, parameters: Mapping[str, str], token: str) -> str:
    """Return the name of what is missing or wrong in a submitted form, or an empty string."""
    secret = secret_of(request, base)
    if secret is None:
        return "cookie"
    if not hmac.compare_digest(token_for(secret, parameters).encode(), token.encode()):
        return "token"
    return "" if _is_same_origin(request, base) else "Origin or Sec-Fetch-Site"


def _is_same_origin(request: Request, base: str) -> bool:
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    parts = urlsplit(base)
    return request.headers.get("origin") == f"{parts.scheme}://{parts.netloc}"


def _name(base: str) -> str:
    # No other host can set a cookie with this prefix. Browsers accept it over https alone; http is loopback.
    return "__Host-brskills" if base.startswith("https:") else "brskills"
