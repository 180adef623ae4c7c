"""``python -m cards FOLDER``: make the cards."""

import base64
import hashlib
import json
import re
import shutil
import sys
from pathlib import Path

from brskills_server.web.pages.templates import environment
from cards.bundle import bundle
from cards.styles import styles

HERE = Path(__file__).parent
SITE = HERE.parent / "functions/site"
SCRIPTS = (HERE / "scripts", SITE / "static")
SHEETS = (SITE / "static/page.css", SITE / "static/landing.css", HERE / "card.css")
CARDS = {"pix": "Pix", "payee": "Pix: quem recebe", "company": "CNPJ"}
"""The name of each card, and the title of its document."""

_POLICY = (
    "default-src 'none'; script-src '{script}'; style-src '{style}'; base-uri 'none'; "
    "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)


def make(folder: Path) -> None:
    """Replace what is in a folder by the cards."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, title in CARDS.items():
        (folder / f"{name}.html").write_text(card(name, title), "utf-8")


def card(name: str, title: str) -> str:
    """Return a card's document. It loads nothing, and its policy allows its own script and style alone."""
    parts = bundle(f"{name}.js", SCRIPTS)
    texts = json.dumps(_texts(parts), ensure_ascii=False, separators=(",", ":")).replace("<", r"\u003c")
    view = bundle("view.js", SCRIPTS)
    script = f'"use strict";\n{view}.start("brskills-{name}", {texts}, () => {parts});\n'
    document = (HERE / "card.html").read_text("utf-8")
    named = " ".join(re.findall(r"<\w+|[\"`][^\"`\n]*[\"`]", document + script))  # elements, classes and ids
    style = styles(SHEETS, set(re.findall(r"[\w-]+", named)))
    policy = _POLICY.format(script=_digest(script), style=_digest(style))
    values = {"policy": policy, "title": title, "style": style, "script": script}
    return re.sub(r"\{(\w+)\}", lambda gap: values[gap[1]], document)


def _texts(script: str) -> dict[str, dict[str, str]]:
    """Return the page's texts by language, but for those that a script does not name."""
    names = {"language", *re.findall(r'"(\w+)"', script)}
    begun = tuple(re.findall(r"\btext\(`(\w+)\$", script))
    return {
        language: {
            name: words
            for name, words in _page_texts(language).items()
            if name in names or name.startswith(begun)
        }
        for language in ("pt", "en")
    }


def _page_texts(language: str) -> dict[str, str]:
    values = {"language": language, "signups": True}
    template = environment(language, values, SITE / "templates").get_template("script_texts.json")
    return dict(json.loads(template.render()))


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


if __name__ == "__main__":
    make(Path(sys.argv[1]))
