"""The list of guides, and the pages that ``make guides`` makes of ``docs/*.md``, which are in English."""

import json
from pathlib import Path
from typing import Any

from jinja2 import Environment

INDEX = "/guides"


class Guides:
    """The guides of a list whose pages are in a folder; a checkout may lack them all."""

    def __init__(self, guide_list: Path, folder: Path) -> None:
        pages = {path.stem for path in folder.glob("*.html")}
        groups: list[dict[str, Any]] = json.loads(guide_list.read_text("utf-8"))
        present = [
            {**group, "guides": [guide for guide in group["guides"] if guide["name"] in pages]}
            for group in groups
        ]
        self._groups = [group for group in present if group["guides"]]
        self._guides = {guide["name"]: guide for group in self._groups for guide in group["guides"]}
        self.names = list(self._guides)

    def render(self, path: str, query: str, templates: Environment, values: dict[str, str]) -> str | None:
        """Return the page at a path below the base, or ``None``; ``query``: of links to other guides."""
        name = path.removeprefix(f"{INDEX}/")
        if path == INDEX:
            template, root, own_href = "guides.html", "", "guides"
        elif name in self._guides:
            template, root, own_href = f"guides/{name}.html", "../", name
        else:
            return None
        return templates.get_template(template).render(
            values,
            groups=self._groups,
            guide=self._guides.get(name),
            query=query,
            root=root,
            own_href=own_href,
            other_href=own_href if query else f"{own_href}?lang=en",
        )
