"""A guide or another document as a template of the site, with GitHub's ids and no inline styles."""

import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs/guides"

_TEMPLATE = """{{% extends "guide.html" %}}
{{% set sections = {sections} %}}
{{% block article %}}
{article}{{% endblock %}}
"""
_REPLACED = {
    "http://127.0.0.1:8000": "{{ service }}",
    "brsk_demo00000000000000000000000000001gbZMd": "{{ demo_api_key or _('SUA_CHAVE') }}",
}
"""What the guides show for `make run`, and what the page of a deployment shows instead."""
_PROGRAM = re.compile(r"^\[[^\]]+\]\((\S+/examples/\S+)\)$", re.MULTILINE)
"""A paragraph that is a link to an example: the page shows the program in its place."""
_EXTERNAL = re.compile(r"https?://|#|mailto:")
_JINJA = re.compile(r"\{[{%#]")
# The HTML that a document may have: comments, which are left out, and named places.
_COMMENT = re.compile(r"\s*<!--.*?-->\s*", re.DOTALL)
_PLACE = re.compile(r'<a id="[\w-]+">|</a>')


class Unfit(Exception):
    """A document that cannot be a page, and why."""


class Section(NamedTuple):
    """The prose below one heading."""

    anchor: str
    title: str
    text: str


class _Heading(NamedTuple):
    level: str
    anchor: str
    words: str


class Guide(NamedTuple):
    """A guide: its title, first paragraph, template, and the sections for the search."""

    title: str
    about: str
    template: str
    sections: list[Section]


def read_guide(path: Path, pages: Mapping[Path, str]) -> Guide:
    """Return the page of a document; ``pages`` has the name of each file with a page. Raise ``Unfit``."""
    text = _PROGRAM.sub(lambda link: _fenced(path.parent / link[1]), _text(path))
    reader = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    for kind in ("fence", "code_block"):
        reader.add_render_rule(kind, _code)
    reader.add_render_rule("table_open", _table)
    reader.add_render_rule("table_close", lambda *_: "</table></div>\n")
    tokens = reader.parse(text)
    try:
        headings = list(_prepare(tokens, path, pages))
    except Unfit as unfit:
        raise Unfit(f"{path.name}: {unfit}") from None
    contents = [(heading.anchor, heading.words) for heading in headings if heading.level == "h2"]
    article = _JINJA.sub(r"{{ '\g<0>' }}", reader.renderer.render(tokens, reader.options, {}))
    for written, shown in _REPLACED.items():
        article = article.replace(written, shown)
    return Guide(
        title=headings[0].words,
        about=next((_plain(each) for each in tokens[3:] if each.type == "inline"), path.name).rstrip(":."),
        template=_TEMPLATE.format(sections=json.dumps(contents, ensure_ascii=False), article=article),
        sections=list(_sections(tokens)),
    )


def _text(path: Path) -> str:
    """Return a document's Markdown; a program, or each file of a folder, is one block of code."""
    if path.suffix == ".md":
        return path.read_text("utf-8")
    if path.is_dir():
        return "\n\n".join(
            [f"# {path.name}", *(f"## {file.stem}\n\n{_fenced(file)}" for file in sorted(path.iterdir()))]
        )
    return f"# {path.name}\n\n{_fenced(path)}"


def _fenced(program: Path) -> str:
    """Return a program as a block of code. Raise ``Unfit`` without the file."""
    if not program.exists():
        raise Unfit(f"{program.name} does not exist")
    return f"```{program.suffix[1:]}\n{program.read_text('utf-8').rstrip()}\n```"


def _sections(tokens: Sequence[Token]) -> Iterator[Section]:
    """Yield the guide's sections with their prose, without code."""
    anchor, title, words = "", "", list[str]()
    for token, following in pairwise(tokens):
        if token.type == "heading_open":
            if words:
                yield Section(anchor, title, " ".join(words))
            anchor, title, words = str(token.attrs["id"]), _plain(following), []
        elif token.type == "inline":
            words.append(_plain(token))
    yield Section(anchor, title, " ".join(words))


def _prepare(tokens: Sequence[Token], document: Path, pages: Mapping[Path, str]) -> Iterator[_Heading]:
    """Set ids, addresses and labels. Yield the headings. Raise ``Unfit`` for what a page cannot have."""
    taken: Counter[str] = Counter()
    words = ""
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        if token.type == "heading_open" and following:
            words = _plain(following)
            anchor = _slug(words)
            token.attrSet("id", f"{anchor}-{taken[anchor]}" if taken[anchor] else anchor)
            taken[anchor] += 1
            yield _Heading(token.tag, str(token.attrs["id"]), words)
        elif token.type in {"table_open", "fence", "code_block"}:
            token.meta["label"] = words
        elif token.type in {"th_open", "td_open"}:
            _align(token)
            if following and not following.content:
                token.tag = "td"  # an empty heading describes nothing
        _link(token.children or [], document, pages)
        for part in [token, *(token.children or [])]:
            if part.type in {"html_block", "html_inline"}:
                part.content = _html(part.content)
            elif part.type == "image":
                part.type, part.children = (
                    "text",
                    [],
                )  # the policy allows pictures, but no page has room for them
    _close_cells(tokens)


def _link(parts: list[Token], document: Path, pages: Mapping[Path, str]) -> None:
    """Set the addresses of links; of a file without a page the words are left."""
    known = True  # links are never within another
    for part in [each for each in parts if each.type in {"link_open", "link_close"}]:
        if part.type == "link_open":
            address = address_of(str(part.attrs["href"]), document, pages)
            known = address is not None
            part.attrSet("href", address or "")
        if not known:
            parts.remove(part)


def _plain(inline: Token) -> str:
    return "".join(part.content for part in inline.children or [] if part.type in {"text", "code_inline"})


def _slug(words: str) -> str:
    """Return the id that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")


def _align(cell: Token) -> None:
    """Replace a style by a class: the policy allows no style attribute."""
    if style := cell.attrs.pop("style", None):
        cell.attrSet("class", str(style).removeprefix("text-align:"))


def _close_cells(tokens: Sequence[Token]) -> None:
    """Give each closing tag of a cell the name of its opening tag."""
    tag = ""
    for token in tokens:
        if token.type in {"th_open", "td_open"}:
            tag = token.tag
        elif token.type in {"th_close", "td_close"}:
            token.tag = tag


def _html(content: str) -> str:
    if _PLACE.fullmatch(content):
        return content
    if _COMMENT.fullmatch(content):
        return ""
    raise Unfit(f"HTML that a guide cannot have: {content.strip()[:40]}")


def _box(token: Token) -> str:
    return f'tabindex="0" role="group" aria-label="{escape(token.meta["label"])}"'


def _code(_renderer: Any, tokens: Sequence[Token], index: int, _options: Any, _env: Any) -> str:
    language = escape(tokens[index].info)
    code = escape(tokens[index].content, quote=False)
    return f'<pre data-language="{language}" {_box(tokens[index])}><code>{code}</code></pre>\n'


def _table(_renderer: Any, tokens: Sequence[Token], index: int, _options: Any, _env: Any) -> str:
    return f'<div class="scroll" {_box(tokens[index])}><table>\n'


def address_of(link: str, document: Path, pages: Mapping[Path, str]) -> str | None:
    """Return the address for a link of a document, or ``None`` for a file of the project without a page.

    Addresses are relative, and so the same in both languages. Raise ``Unfit`` if the file does not exist.
    """
    if _EXTERNAL.match(link):
        return link
    target, mark, anchor = link.partition("#")
    path = Path(os.path.normpath(document.parent / target)) if target else document
    if not path.is_relative_to(ROOT) or not path.exists():
        raise Unfit(f"{link} leads nowhere")
    if name := pages.get(path) or pages.get(path / "README.md"):
        here = Path(pages.get(document, "")).parent
        return f"{os.path.relpath(name, here)}{mark}{anchor}"
    return None
