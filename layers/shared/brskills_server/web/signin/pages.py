"""The pages of the sign-in: whether to allow a client, and what went wrong. They need no script."""

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from brskills_server.accounts.grant import Terms
from brskills_server.runtime.settings import Settings
from brskills_server.web.request import LANGUAGES
from brskills_server.web.response import Response
from brskills_server.web.signin import scopes
from brskills_server.web.signin.redirects import Destination

__all__ = ["Pages", "Reader"]

_HIDDEN = {
    # There is no Cross-Origin-Opener-Policy: programs in a browser open the page in a window of its own, and
    # it would cut them off from the page of theirs that the person comes back to.
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    # Other sites see nothing of the address. With "no-referrer" older browsers would also hide from us that
    # the form was sent from here.
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}


_PAGES = {"pt": "", "en": "en"}
"""The service's own page, where grants are listed and ended, below the base."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Who looks at a page: the address it is served under, and ``pt`` or ``en``."""

    base: str
    language: str


class Pages:
    """The pages of a folder, read once: templates, a style, and texts for each language.

    Where a person is asked, the operator's own pages are named, if there are any.
    """

    def __init__(self, folder: Path, settings: Settings) -> None:
        style = (folder / "page.css").read_text("utf-8").strip()
        digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
        self._policy = (
            f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; frame-ancestors 'none'; "
        )
        self._texts: dict[str, dict[str, str]] = {
            language: json.loads((folder / f"{language}.json").read_text("utf-8")) for language in LANGUAGES
        }
        templates = Environment(
            loader=FileSystemLoader(folder),
            autoescape=True,  # names of clients are a stranger's words
            undefined=StrictUndefined,
            trim_blocks=True,
            auto_reload=False,
        )
        templates.globals |= {"style": Markup(style)}  # noqa: S704 - a file of ours, which escapes would break
        templates.globals |= {
            name: getattr(settings, name)
            for name in ("terms_url", "privacy_url", "support_url", "contact_email")
        }
        templates.globals |= {"signups_open": settings.offers.signups}
        self._templates = {name: templates.get_template(f"{name}.html") for name in ("consent", "message")}

    def consent(
        self,
        reader: Reader,
        terms: Terms,
        destination: Destination,
        token: str,
        *,
        fault: str = "",
        new_key: str = "",
    ) -> Response:
        """Ask whether to allow a client what it asks for.

        ``fault`` names the text of what was wrong with the last answer, ``new_key`` is shown this once.
        """
        texts = self._texts[reader.language]
        values = {
            "client_name": terms.client.name,
            "client_host": urlsplit(terms.client.id).hostname or "",
            "scopes": [texts[f"scope_{scope}"] for scope in scopes.as_text(terms.scopes).split()],
            "on_the_web": destination.kind == "web",
            "destination": destination.name,
            "destination_kind": texts[f"destination_{destination.kind}"],
            "token": token,
            "fault": texts[f"fault_{fault}"] if fault else "",
            "new_key": new_key,
            "list_url": f"{reader.base}/{_PAGES[reader.language]}#access",
        }
        # Chromium holds the policy of a form against every step of the way that its answer leads.
        sources = " ".join(dict.fromkeys(("'self'", "https:", destination.source)))
        response = self._page("consent", reader, values, f"form-action {sources}")
        response.status = 422 if fault else 200
        return response

    def message(
        self,
        reader: Reader,
        status: int,
        reason: str,
        *,
        detail: str = "",
        back: str = "",
        retry_after: int | None = None,
    ) -> Response:
        """Say what keeps us from asking; ``back`` is where the client is told, if the person goes there.

        ``retry_after``: seconds until it may go better.
        """
        texts = self._texts[reader.language]
        values = {
            "reason": texts[f"message_{reason}"],
            "detail": detail,
            "detail_for": texts[f"message_detail{'_operator' if reason == 'insecure_transport' else ''}"],
            "back": back,
        }
        response = self._page("message", reader, values, "form-action 'none'")
        response.status = status
        if retry_after is not None:
            response.headers["Retry-After"] = str(retry_after)
        return response

    def _page(self, name: str, reader: Reader, values: Mapping[str, Any], forms: str) -> Response:
        texts = self._texts[reader.language]
        parts = urlsplit(reader.base)
        headers = {
            **_HIDDEN,
            "Access-Control-Allow-Origin": f"{parts.scheme}://{parts.netloc}",  # no other page may read it
            "Content-Language": reader.language,
            "Content-Security-Policy": self._policy + forms,
            "Content-Type": "text/html; charset=utf-8",
        }
        return Response(200, self._templates[name].render(**texts, **values), headers)
