"""``make reference``: write every document of ``docs/reference`` and the guide of examples anew."""

from checks.reference.documents import FOLDER, documents
from guides.article import FOLDER as GUIDES
from package.collections.snippets import guide

if __name__ == "__main__":
    for name, text in documents().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    for language in ("pt", "en"):
        (GUIDES / language / "snippets.md").write_text(guide(language), encoding="utf-8")
