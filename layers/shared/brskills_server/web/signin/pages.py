"""The pages of sign-in: consent, and what prevents it. They need no script."""

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from markupsafe import Markup

from brskills_server.accounts.grant import Terms
from brskills_server.runtime.settings import Settings
from brskills_server.web.pages.templates import environment
from brskills_server.web.response import Response
from brskills_server.web.signin import scopes
from brskills_server.web.signin.redirects import Destination

_HEADERS = {
    # No Cross-Origin-Opener-Policy: programs in a browser open the page in a window of their own, and the
    # header would cut it off from the page that waits for the answer.
    "Cache-Control": "no-store",
    "Content-Type": "text/html; charset=utf-8",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    # Hides the address from other sites. With "no-referrer", older browsers would also send our own form
    # without its origin.
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}
_LANGUAGES = {"pt": {"lang": "pt-BR", "home": ""}, "en": {"lang": "en", "home": "en"}}
"""By language: the tag, and the path of the landing page, where grants are listed."""


@dataclass(frozen=True, slots=True)
class PageContext:
    """The base address a page is served under, and its language, ``pt`` or ``en``."""

    base: str
    language: str


class Pages:
    """The pages of a folder: templates and a style sheet."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        style = (folder / "page.css").read_text("utf-8").strip()
        digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
        self._policy = (
            f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; frame-ancestors 'none'; "
        )
        values = {
            "style": Markup(style),  # noqa: S704 - a file of the folder, which escaping would break
            "signups": settings.features.signups,
            "terms_url": settings.terms_url,
            "privacy_url": settings.privacy_url,
            "support_url": settings.support_url,
            "contact_email": settings.contact_email,
        }
        self._templates = {
            language: environment(language, {**values, **known}, folder)
            for language, known in _LANGUAGES.items()
        }

    def consent(
        self,
        context: PageContext,
        terms: Terms,
        destination: Destination,
        token: str,
        *,
        issue: str = "",
        new_key: str = "",
    ) -> Response:
        """Ask whether to allow a client what it requests.

        ``issue`` names the text for an invalid answer before; ``new_key`` is displayed once.
        """
        values = {
            "client_name": terms.client.name,
            "client_host": urlsplit(terms.client.id).hostname or "",
            "scopes": scopes.as_text(terms.scopes).split(),
            "destination": destination,
            "token": token,
            "issue": issue,
            "new_key": new_key,
            "grants_url": f"{context.base}/{_LANGUAGES[context.language]['home']}#access",
        }
        # Chromium applies the policy of a form to every redirect that follows it.
        sources = " ".join(dict.fromkeys(("'self'", "https:", destination.source)))
        status = 422 if issue else 200
        return self._page("consent.html", context, status, values, f"form-action {sources}")

    def message(
        self,
        context: PageContext,
        status: int,
        reason: str,
        *,
        detail: str = "",
        back: str = "",
        retry_after: int | None = None,
    ) -> Response:
        """Explain why consent cannot be asked for.

        ``reason`` names the text, ``detail`` is for developers, ``back`` links to the client with the error;
        ``retry_after`` is in seconds.
        """
        values = {"reason": reason, "detail": detail, "back": back}
        response = self._page("message.html", context, status, values, "form-action 'none'")
        if retry_after is not None:
            response.headers["Retry-After"] = str(retry_after)
        return response

    def _page(
        self, template: str, context: PageContext, status: int, values: Mapping[str, Any], form_action: str
    ) -> Response:
        parts = urlsplit(context.base)
        headers = {
            **_HEADERS,
            "Access-Control-Allow-Origin": f"{parts.scheme}://{parts.netloc}",  # no other site may read it
            "Content-Language": context.language,
            "Content-Security-Policy": self._policy + form_action,
        }
        body = self._templates[context.language].get_template(template).render(values)
        return Response(status, body, headers)
