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
    return [name for group in _groups() for name in group.get("guides", [])]


def documents(patterns: list[str]) -> dict[Path, str]:
    """Return the files of some patterns with the name of their page below ``/docs``."""
    files = [path for pattern in patterns for path in sorted(ROOT.glob(pattern)) if path.stat().st_size]
    return {path: _name(path) for path in files}


def make(folder: Path) -> None:
    """Replace what is in a folder. Raise ``Unfit`` if a document cannot be a page."""
    groups = [(group["title"], documents(group["documents"])) for group in _groups() if "documents" in group]
    pages = {path: name for _, group in groups for path, name in group.items()}
    pages |= {FOLDER / language / f"{name}.md": name for language in LANGUAGES for name in names()}
    shutil.rmtree(folder, ignore_errors=True)
    for language in LANGUAGES:
        guides = {name: read_guide(FOLDER / language / f"{name}.md", pages) for name in names()}
        _write(folder / language / "titles.json", _save(guides, folder / language))
        _write(folder / f"search-{language}.json", _index(guides))
    listed = [
        {
            "title": title,
            "guides": _save({name: read_guide(path, pages) for path, name in group.items()}, folder),
        }
        for title, group in groups
    ]
    _write(folder / "documents.json", listed)
    (folder / "changelog.atom").write_text(feed(pages), "utf-8")


def _groups() -> list[dict[str, Any]]:
    groups: list[dict[str, Any]] = json.loads(LIST.read_text("utf-8"))
    return groups


def _name(path: Path) -> str:
    name = path.relative_to(ROOT).as_posix().removeprefix("docs/").removeprefix("functions/site/")
    return name.removesuffix(".md").removesuffix("/README").lower()


def _save(guides: dict[str, Guide], folder: Path) -> dict[str, dict[str, str]]:
    """Write templates; return their titles and first paragraphs by name."""
    for name, guide in guides.items():
        file = folder / f"{name}.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(guide.template, "utf-8")
    return {name: {"title": guide.title, "about": guide.about} for name, guide in guides.items()}


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
