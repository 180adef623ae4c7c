"""The Portuguese texts of pages, as Jinja extracts them from the templates."""

import json
from collections.abc import Iterator

from brskills_server.web.pages.templates import environment
from tests.services.gateway import ROOT

FOLDERS = [ROOT / "functions" / name / "templates" for name in ("site", "oauth")]


def page_messages() -> set[str]:
    """The texts of all templates and of the list of guides."""
    return {*_in_templates(), *_of_guides()}


def _in_templates() -> Iterator[str]:
    reader = environment("pt", {})
    for path in (path for folder in FOLDERS for path in folder.iterdir() if path.suffix != ".css"):
        for _, _, message in reader.extract_translations(path.read_text("utf-8")):
            text = message[0] if isinstance(message, tuple) else message
            if text is not None:  # a variable's text is of the list of guides
                yield text


def _of_guides() -> Iterator[str]:
    for group in json.loads((ROOT / "functions/site/guide_list.json").read_text("utf-8")):
        yield from filter(None, [group["title"]])  # programs that are not listed have no title
