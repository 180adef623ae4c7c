"""The guides at ``/docs``, which ``make guides`` makes of ``docs/guides``, in Portuguese and English."""

import json
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment

INDEX = "/docs"


class Link(NamedTuple):
    """A guide as others refer to it."""

    name: str
    title: str
    about: str


class Guides:
    """Guides of a folder in the order of a list; without the folder there are none."""

    def __init__(self, list_file: Path, folder: Path) -> None:
        groups = json.loads(list_file.read_text("utf-8"))
        self._groups = {language: _links(groups, folder / language) for language in ("pt", "en")}
        self.names = [link.name for group in self._groups["pt"] for link in group["guides"]]

    def render(self, path: str, language: str, templates: Environment, values: dict[str, Any]) -> str | None:
        """Return the page at a path below the base, or ``None``."""
        name, groups = path.removeprefix(f"{INDEX}/"), self._groups[language]
        links = [None, *(link for group in groups for link in group["guides"]), None]
        places = zip(links, links[1:], links[2:], strict=False)
        around = {link.name: (before, link, after) for before, link, after in places if link}
        if path == INDEX:
            template, root = "docs.html", ""
        elif name in around:
            template, root = f"guides/{language}/{name}.html", "../"
        else:
            return None
        before, guide, after = around.get(name, (None, None, None))
        return templates.get_template(template).render(
            values, groups=groups, guide=guide, before=before, after=after, root=root
        )


def _links(groups: list[Any], folder: Path) -> list[dict[str, Any]]:
    file = folder / "titles.json"
    titles = json.loads(file.read_text("utf-8")) if file.exists() else {}
    return [
        {"title": group["title"], "guides": [Link(name, **titles[name]) for name in group["guides"]]}
        for group in groups
        if titles
    ]
