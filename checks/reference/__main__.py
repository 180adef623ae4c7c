"""``make reference``: write ``docs/reference`` anew."""

from checks.reference.documents import FOLDER, documents

if __name__ == "__main__":
    for name, text in documents().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
