"""``python -m guides FOLDER``: make a template of every guide in the site's list of guides."""

import json
import sys
from pathlib import Path

from guides.article import ROOT, template_of

LIST = ROOT / "functions/site/guide_list.json"


def names() -> list[str]:
    """Return the guides by the names of their files in ``docs/``, in the order of the site's list."""
    return [guide["name"] for group in json.loads(LIST.read_text("utf-8")) for guide in group["guides"]]


def make(folder: Path) -> None:
    """Replace the templates in a folder. Raise ``Unfit`` if a document cannot be a page."""
    made = {name: template_of(name, set(names())) for name in names()}
    folder.mkdir(parents=True, exist_ok=True)
    for former in (*folder.glob("*.html"), *folder.glob("*.json")):
        former.unlink()
    for name, template in made.items():
        (folder / f"{name}.html").write_text(template, "utf-8")


if __name__ == "__main__":
    make(Path(sys.argv[1]))
