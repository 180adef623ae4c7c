"""``python -m guides FOLDER``: make every guide that the site's texts name, a JSON file each."""

import json
import sys
from pathlib import Path

from guides.article import ROOT, Article, article_of

TEXTS = ROOT / "functions/site/texts/en.json"


def names() -> list[str]:
    """The guides by the names of their files in ``docs/``, in the order of the site's list."""
    groups = json.loads(TEXTS.read_text("utf-8"))["guides"].values()
    return [name for group in groups for name in group["guides"]]


def make(folder: Path) -> dict[str, Article]:
    """Write all guides into a folder, in place of those that are there; what was written, by name.

    Raises ``article.Unfit`` where one cannot be shown.
    """
    made = {name: article_of(name, set(names())) for name in names()}
    folder.mkdir(parents=True, exist_ok=True)
    for former in folder.glob("*.json"):
        former.unlink()
    for name, article in made.items():
        (folder / f"{name}.json").write_text(json.dumps(article, ensure_ascii=False) + "\n", "utf-8")
    return made


if __name__ == "__main__":
    make(Path(sys.argv[1]))
