"""Jinja environments for pages: templates have Portuguese texts, which the catalogue translates."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from brskills_server.web.translation import translate


def environment(language: str, values: Mapping[str, Any], *folders: Path) -> Environment:
    """Return an environment for the templates of the folders, with texts in ``pt`` or ``en``.

    Values are escaped. Texts are not: they may contain markup, and a percent sign is written as ``%%``.
    """
    made = Environment(
        loader=FileSystemLoader(folders),
        extensions=["jinja2.ext.i18n"],
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.install_gettext_callables(  # type: ignore[attr-defined]  # added by the extension
        lambda text: translate(text, language),
        lambda singular, plural, count: translate(singular if count == 1 else plural, language),
        newstyle=True,
    )
    made.policies["json.dumps_kwargs"] = {"ensure_ascii": False}
    made.globals |= values
    return made
