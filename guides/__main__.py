"""``python -m guides FOLDER``: make the guides, the index of their search, and the feed of releases."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

from guides.article import FOLDER, ROOT, Guide, read_guide
from guides.feed import feed

LIST = ROOT / "functions/site/guide_list.json"
LANGUAGES = ("pt", "en")


def names() -> list[str]:
    """Return the guides' names in the order of the site's list."""
    return [name for group in json.loads(LIST.read_text("utf-8")) for name in group["guides"]]


def make(folder: Path) -> None:
    """Replace what is in a folder. Raise ``Unfit`` if a document cannot be a page."""
    made = {
        language: {name: read_guide(FOLDER / language / f"{name}.md", set(names())) for name in names()}
        for language in LANGUAGES
    }
    shutil.rmtree(folder, ignore_errors=True)
    for language, guides in made.items():
        (folder / language).mkdir(parents=True)
        for name, guide in guides.items():
            (folder / language / f"{name}.html").write_text(guide.template, "utf-8")
        titles = {name: {"title": guide.title, "about": guide.about} for name, guide in guides.items()}
        _write(folder / language / "titles.json", titles)
        _write(folder / f"search-{language}.json", _index(guides))
    (folder / "changelog.atom").write_text(feed(), "utf-8")


def _index(guides: dict[str, Guide]) -> list[dict[str, str]]:
    return [
        {"name": name, "guide": guide.title, **section._asdict()}
        for name, guide in guides.items()
        for section in guide.sections
    ]


def _write(path: Path, content: Any) -> None:
    path.write_text(json.dumps(content, ensure_ascii=False, separators=(",", ":")), "utf-8")


if __name__ == "__main__":
    make(Path(sys.argv[1]))
