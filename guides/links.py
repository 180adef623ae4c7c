"""Links of documents, as pages of the site need them."""

import os
import re
from collections.abc import Set
from pathlib import Path

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"

_EXTERNAL = re.compile(r"https?://|#|mailto:")


class Unfit(Exception):
    """A document that cannot be a page, and why."""


def address_of(link: str, guides: Set[str]) -> str:
    """Return the address for a link of a file in ``docs/``: another guide, or a file of the project.

    ``{{ query }}`` and ``{{ project_url }}`` in it are for the template. Anchors are kept. Raise ``Unfit``
    if the file does not exist.
    """
    if _EXTERNAL.match(link):
        return link
    target, mark, anchor = link.partition("#")
    path = Path(os.path.normpath(DOCS / target))
    if not path.is_relative_to(ROOT) or not path.exists():
        raise Unfit(f"{link} leads nowhere")
    if path.parent == DOCS and path.suffix == ".md" and path.stem in guides:
        return f"{path.stem}{{{{ query }}}}{mark}{anchor}"
    kind = "tree" if path.is_dir() else "blob"
    file = path.relative_to(ROOT).as_posix()
    return f"{{{{ project_url.rstrip('/') }}}}/{kind}/main/{file}{mark}{anchor}"
