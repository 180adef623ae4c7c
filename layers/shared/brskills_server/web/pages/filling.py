"""Templates filled with the texts of a language, and with what the deployment sets."""

import html
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from brskills_server.web.pages.standing import SiteConfig

__all__ = ["Filling", "as_json"]


class Filling:
    """The texts of one language, ready to be put into templates.

    ``folder`` has the templates and, in ``texts``, a file a language. ``given`` are other values by name, in
    HTML.
    """

    def __init__(self, folder: Path, language: str, standing: SiteConfig, given: Mapping[str, str]) -> None:
        self._folder = folder
        self._offers = standing.offers
        chosen = self._offers.choose((folder / "texts" / f"{language}.json").read_text("utf-8"))
        texts: dict[str, Any] = json.loads(chosen)
        self.guides: dict[str, Any] = texts["guides"]
        self.words: dict[str, str] = texts["page"]
        settings = {name.lower(): html.escape(value) for name, value in standing.settings.items()}
        mail = _mail(settings["contact_email"])
        self._values = {
            **self.words,
            **settings,
            **given,
            "script_texts": as_json(texts["script"]),
            "contact_url": html.escape(next(iter(standing.contacts), "")),
            "footer_own_pages": self._own_pages(settings, "terms", "privacy", "sla", "support") + mail,
            "support_contact": self._own_pages(settings, "support") + mail,
        }

    def fill(self, template: str, **values: str) -> str:
        """The template of that name with every ``{{name}}`` replaced; ``values`` go before what is known."""
        source = self._offers.choose((self._folder / template).read_text("utf-8"))
        known = {**self._values, **values}
        body = re.sub(r"\{\{(\w+)\}\}", lambda found: known[found[1]], source)
        body = body.replace("<li></li>", "")  # what a plan would promise, and nothing here makes true
        return re.sub(r"\n +<", "\n<", body)  # how deep an element stands is for whoever reads the template

    def _own_pages(self, settings: Mapping[str, str], *names: str) -> str:
        """Links to the operator's own pages, of those that there are."""
        named = [(settings[f"{name}_url"], self.words[f"footer_{name}"]) for name in names]
        return "".join(f' <a href="{url}">{text}</a>' for url, text in named if url)


def as_json(content: Mapping[str, str]) -> str:
    """JSON that may stand in an element of a page."""
    return json.dumps(content, ensure_ascii=False).replace("<", "\\u003c")


def _mail(address: str) -> str:
    return f' <a href="mailto:{address}">{address}</a>' if address else ""
