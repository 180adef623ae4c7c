"""``python -m package.collections FOLDER``: write the collections for Postman and Bruno."""

import sys
from pathlib import Path

from package.collections.bruno import bruno
from package.collections.postman import postman
from package.collections.requests import requests


def make(folder: Path) -> None:
    """Write both files into a folder."""
    made = requests()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "brskills.postman_collection.json").write_text(postman(made), encoding="utf-8")
    (folder / "brskills-bruno.zip").write_bytes(bruno(made))


if __name__ == "__main__":
    make(Path(sys.argv[1]))
