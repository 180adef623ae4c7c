"""One guide: a file of ``docs/`` as HTML that holds in a page of the site, under its strict policy.

Headings get the ids that GitHub gives them, so that the anchors of the documents hold. Tables and code are in
boxes that scroll by themselves and that the keyboard reaches. Two marks are left for the site to fill in:
``{{query}}`` behind a link to another guide, and ``{{project_url}}`` before a link to any other file.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from html import escape
from typing import Any, NamedTuple, TypedDict

from markdown_it import MarkdownIt
from markdown_it.token import Token

from guides.links import DOCS, ROOT, Unfit, address_of

__all__ = ["ROOT", "Article", "Unfit", "article_of"]


class Article(TypedDict):
    """``sections``: the ids and texts, as HTML, of the headings below the title; ``article``: HTML."""

    sections: list[tuple[str, str]]
    article: str


class _Heading(NamedTuple):
    level: str
    anchor: str
    words: str


# What a document may have in HTML: remarks, which are left out, and places that are named.
_REMARK = re.compile(r"\s*<!--.*?-->\s*", re.DOTALL)
_PLACE = re.compile(r'<a id="[\w-]+">|</a>')


def article_of(name: str, guides: Set[str]) -> Article:
    """Read ``docs/<name>.md``; ``guides`` are the names that have pages. Raises ``Unfit``."""
    text = (DOCS / f"{name}.md").read_text("utf-8")
    if "{{" in text:
        raise Unfit(f"{name}.md: {{{{ is a mark of the site's templates")
    reader = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    for kind in ("fence", "code_block"):
        reader.add_render_rule(kind, _code)
    reader.add_render_rule("table_open", _table)
    reader.add_render_rule("table_close", lambda *_: "</table></div>\n")
    tokens = reader.parse(text)
    try:
        headings = list(_prepare(tokens, guides))
    except Unfit as fault:
        raise Unfit(f"{name}.md: {fault}") from None
    return {
        "sections": [(heading.anchor, heading.words) for heading in headings if heading.level == "h2"],
        "article": reader.renderer.render(tokens, reader.options, {}),
    }


def _prepare(tokens: Sequence[Token], guides: Set[str]) -> Iterator[_Heading]:
    """Give headings ids, links their addresses, boxes their names, and see to what a page cannot have."""
    taken: Counter[str] = Counter()
    words = ""
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        if token.type == "heading_open" and following:
            words = _plain(following)
            anchor = _slug(words)
            token.attrSet("id", f"{anchor}-{taken[anchor]}" if taken[anchor] else anchor)
            taken[anchor] += 1
            yield _Heading(token.tag, str(token.attrs["id"]), escape(words))
        elif token.type in {"table_open", "fence", "code_block"}:
            token.meta["box"] = words
        elif token.type in {"th_open", "td_open"}:
            _align(token)
            if following and not following.content:
                token.tag = "td"  # a heading without words heads nothing
        for part in [token, *(token.children or [])]:
            if part.type in {"html_block", "html_inline"}:
                part.content = _html(part.content)
            elif part.type == "link_open":
                part.attrSet("href", address_of(str(part.attrs["href"]), guides))
            elif part.type == "image":
                raise Unfit("the site has no place for pictures of guides")
    _close_cells(tokens)


def _plain(inline: Token) -> str:
    return "".join(part.content for part in inline.children or [] if part.type in {"text", "code_inline"})


def _slug(words: str) -> str:
    """The id that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")


def _align(cell: Token) -> None:
    """By a class: the policy allows no style in an element."""
    if style := cell.attrs.pop("style", None):
        cell.attrSet("class", str(style).removeprefix("text-align:"))


def _close_cells(tokens: Sequence[Token]) -> None:
    """End each cell as it begins."""
    tag = ""
    for token in tokens:
        if token.type in {"th_open", "td_open"}:
            tag = token.tag
        elif token.type in {"th_close", "td_close"}:
            token.tag = tag


def _html(content: str) -> str:
    if _PLACE.fullmatch(content):
        return content
    if _REMARK.fullmatch(content):
        return ""
    raise Unfit(f"HTML that a guide cannot have: {content.strip()[:40]}")


def _box(token: Token) -> str:
    return f'tabindex="0" role="group" aria-label="{escape(token.meta["box"])}"'


def _code(_renderer: Any, tokens: Sequence[Token], at: int, _options: Any, _env: Any) -> str:
    return f"<pre {_box(tokens[at])}><code>{escape(tokens[at].content, quote=False)}</code></pre>\n"


def _table(_renderer: Any, tokens: Sequence[Token], at: int, _options: Any, _env: Any) -> str:
    return f'<div class="scroll" {_box(tokens[at])}><table>\n'
