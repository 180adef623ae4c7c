"""``make reference``: write ``docs/reference`` and the examples in other languages anew."""

from checks.reference.documents import FOLDER, documents
from package.collections.snippets import FOLDER as PROGRAMS
from package.collections.snippets import programs

if __name__ == "__main__":
    for folder, files in ((FOLDER, documents()), (PROGRAMS, programs())):
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8")
