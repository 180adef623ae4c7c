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
    """Guides of a folder in the order of a list, and English documents; without the folder there are none."""

    def __init__(self, list_file: Path, folder: Path) -> None:
        listed = [group for group in json.loads(list_file.read_text("utf-8")) if "guides" in group]
        self._groups = {language: _guides(listed, folder / language) for language in ("pt", "en")}
        self._documents = _documents(folder)
        links = [link for group in (*self._groups["pt"], *self._documents) for link in group["guides"]]
        self.paths = [INDEX, *(f"{INDEX}/{link.name}" for link in links)]

    def render(self, path: str, language: str, templates: Environment, values: dict[str, Any]) -> str:
        """Return the page at one of ``paths``."""
        name, groups = path.removeprefix(f"{INDEX}/"), self._groups[language]
        links = [None, *(link for group in groups for link in group["guides"]), None]
        places = zip(links, links[1:], links[2:], strict=False)
        around = {link.name: (before, link, after) for before, link, after in places if link}
        known = {link.name: (None, link, None) for group in self._documents for link in group["guides"]}
        before, guide, after = (around | known).get(name, (None, None, None))
        folder = "guides" if name in known else f"guides/{language}"
        return templates.get_template(f"{folder}/{name}.html" if guide else "docs.html").render(
            values, groups=groups, documents=self._documents, guide=guide, before=before, after=after,
            is_document=name in known,
        )  # fmt: skip


def _guides(groups: list[Any], folder: Path) -> list[dict[str, Any]]:
    titles = _read(folder / "titles.json", {})
    return [
        {"title": group["title"], "guides": [Link(name, **titles[name]) for name in group["guides"]]}
        for group in groups
        if titles
    ]


def _documents(folder: Path) -> list[dict[str, Any]]:
    return [
        {"title": group["title"], "guides": [Link(name, **about) for name, about in group["guides"].items()]}
        for group in _read(folder / "documents.json", [])
    ]


def _read(file: Path, otherwise: Any) -> Any:
    return json.loads(file.read_text("utf-8")) if file.exists() else otherwise
