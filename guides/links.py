"""Where links of documents lead when the documents are pages."""

import os
import re
from collections.abc import Set
from pathlib import Path

__all__ = ["DOCS", "ROOT", "Unfit", "address_of"]

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"

_ELSEWHERE = re.compile(r"https?://|#|mailto:")


class Unfit(Exception):
    """A document that cannot be a page, and why."""


def address_of(link: str, guides: Set[str]) -> str:
    """A link of a file in ``docs/`` as it stands in a page: to another guide, or to the file at the project.

    Anchors stay. Raises ``Unfit`` where there is no such file.
    """
    if _ELSEWHERE.match(link):
        return link
    target, mark, anchor = link.partition("#")
    path = Path(os.path.normpath(DOCS / target))
    if not path.is_relative_to(ROOT) or not path.exists():
        raise Unfit(f"{link} leads nowhere")
    if path.parent == DOCS and path.suffix == ".md" and path.stem in guides:
        return f"{path.stem}{{{{query}}}}{mark}{anchor}"
    kind = "tree" if path.is_dir() else "blob"
    return f"{{{{project_url}}}}/{kind}/main/{path.relative_to(ROOT).as_posix()}{mark}{anchor}"
