"""GET /guides and /guides/{name}: what ``make guides`` made of ``docs/*.md``, in the frame of a language.

The guides are in English; what stands around them is in the reader's language. Which there are, in which
order, and what each is about stand in the texts (``guides`` of ``functions/site/texts/*.json``).
"""

import html
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from brskills_server.web.pages.documents import HTML, Document
from brskills_server.web.pages.filling import Filling

__all__ = ["Guides"]

_POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
_INDEX = "/guides"
_LONG = 3  # sections, from which a guide has a table of contents


class Guides:
    """The guides that are in a folder: it may lack some, or all of them where they were not made.

    ``fillings``: the frame's texts by the query that asks for them. ``project_url``: where files are that
    guides name and that are no guides.
    """

    def __init__(self, folder: Path, fillings: Mapping[str, Filling], project_url: str) -> None:
        self._folder = folder
        self._fillings = fillings
        self._project = html.escape(project_url.rstrip("/"))
        made = {path.stem for path in folder.glob("*.json")}
        groups = fillings[""].guides.values()
        self.names = [name for group in groups for name in group["guides"] if name in made]

    def page(self, path: str, query: str) -> Document | None:
        """The page at a path below the base, ``query`` one of the fillings'; ``None`` where there is none."""
        name = path.removeprefix(f"{_INDEX}/")
        if path == _INDEX:
            body = self._index(self._fillings[query], query)
        elif name in self.names:
            body = self._guide(name, self._fillings[query], query)
        else:
            return None
        return Document(body, HTML, _POLICY)

    def _index(self, filling: Filling, query: str) -> str:
        groups = [
            f'<section>\n<h2>{group["title"]}</h2>\n<dl class="guides">\n{entries}</dl>\n</section>\n'
            for group in filling.guides.values()
            if (entries := self._entries(group["guides"], query))
        ]
        content = filling.fill(
            "guides.html", groups="".join(groups) or f"<p>{filling.words['guides_missing']}</p>"
        )
        return filling.fill(
            "frame.html",
            root="",
            own=_INDEX.removeprefix("/"),
            content_title=filling.words["guides_title"],
            content_about=filling.words["guides_lead"],
            content=content,
        )

    def _entries(self, guides: Mapping[str, tuple[str, str]], query: str) -> str:
        return "".join(
            f'<div><dt><a href="guides/{name}{query}" hreflang="en">{title}</a></dt><dd>{about}</dd></div>\n'
            for name, (title, about) in guides.items()
            if name in self.names
        )

    def _guide(self, name: str, filling: Filling, query: str) -> str:
        made = json.loads((self._folder / f"{name}.json").read_text("utf-8"))
        title, about = next(
            group["guides"][name] for group in filling.guides.values() if name in group["guides"]
        )
        article = made["article"].replace("{{query}}", query).replace("{{project_url}}", self._project)
        contents = _contents(made["sections"], filling.words["guide_contents"])
        content = filling.fill("guide.html", article=article, contents=contents)
        return filling.fill(
            "frame.html", root="../", own=name, content_title=title, content_about=about, content=content
        )


def _contents(sections: Sequence[tuple[str, str]], title: str) -> str:
    """Links to sections, given as pairs of an id and HTML; nothing for a short guide."""
    if len(sections) < _LONG:
        return ""
    links = "".join(f'<li><a href="#{anchor}">{words}</a></li>' for anchor, words in sections)
    return f'<nav aria-labelledby="contents"><p id="contents">{title}</p><ol lang="en">{links}</ol></nav>\n'
