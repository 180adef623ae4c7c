"""That an answer to our page comes from our page, in the browser that was shown it.

The browser says which site a form was sent from (``Sec-Fetch-Site``, or ``Origin`` where it is older). Beside
that stands a token: a cookie holds a secret of the browser's, and the form what that secret makes of the very
request that the page asks about. Another site can neither read nor set the cookie.
"""

import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Mapping
from urllib.parse import urlsplit

from brskills_server.web.request import Request

__all__ = ["cookie_for", "secret_of", "strange_in", "token_for"]

SECONDS = 3600
_SECRET = re.compile(r"[A-Za-z0-9_-]{43}")


def secret_of(request: Request, base: str) -> str | None:
    """The browser's secret, if it has one."""
    # By hand: one strange cookie of another service on this host would end the standard library's reading.
    # A cookie begins neither behind a comma nor behind what only Python takes for a space: other hosts could
    # set one in which ours seems to stand.
    for cookie in request.headers.get("cookie", "").split(";"):
        name, _, value = cookie.strip(" \t").partition("=")
        if name == _name(base) and _SECRET.fullmatch(value):
            return value
    return None


def cookie_for(secret: str | None, base: str) -> tuple[str, str]:
    """The browser's secret, or a new one, and the header that sets it.

    The one that is there is kept: another tab may show a page that was made with it.
    """
    kept = secret or secrets.token_urlsafe(32)
    secure = "; Secure" if base.startswith("https:") else ""
    return kept, f"{_name(base)}={kept}; Path=/; Max-Age={SECONDS}; HttpOnly; SameSite=Lax{secure}"


def token_for(secret: str, asked: Mapping[str, str]) -> str:
    """What the form holds: for this secret and this request alone."""
    told = json.dumps(sorted(asked.items()))
    return hmac.new(secret.encode(), told.encode(), hashlib.sha256).hexdigest()


def strange_in(request: Request, base: str, asked: Mapping[str, str], token: str) -> str:
    """What keeps a form from being our page's about this request, sent by the browser that was shown it.

    The name of what is missing or another's, for those who make programs; empty where nothing is.
    """
    secret = secret_of(request, base)
    if secret is None:
        return "cookie"
    if not hmac.compare_digest(token_for(secret, asked).encode(), token.encode()):
        return "token"
    return "" if _is_same_origin(request, base) else "Origin or Sec-Fetch-Site"


def _is_same_origin(request: Request, base: str) -> bool:
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    parts = urlsplit(base)
    return request.headers.get("origin") == f"{parts.scheme}://{parts.netloc}"


def _name(base: str) -> str:
    # With this prefix no other host can set it. Browsers take it over https alone; else we are on loopback.
    return "__Host-brskills" if base.startswith("https:") else "brskills"
