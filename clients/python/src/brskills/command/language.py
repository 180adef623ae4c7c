"""The choice of the language, and the texts and help in it."""

import locale
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click

from brskills.command.texts import TEXTS

Texts = Callable[..., str]
"""A text's key and the values of its placeholders → the text in one language."""


def texts_in(language: str) -> Texts:
    """Return the texts in ``pt`` or ``en``; the value ``count`` chooses singular or plural."""
    index = 0 if language == "pt" else 1

    def text(key: str, **values: Any) -> str:
        forms = TEXTS[key][index].split("|")
        return (forms[0] if values.get("count") == 1 else forms[-1]).format(**values)

    return text


def language_of(arguments: Sequence[str], environment: Mapping[str, str]) -> str:
    """Return ``pt`` or ``en``: of ``--lang``, else of the system; English for all but Portuguese.

    >>> language_of(["uso", "--lang", "pt"], {"LANG": "en_US.UTF-8"}), language_of([], {"LANG": "pt_BR"})
    ('pt', 'pt')
    """
    for index, argument in enumerate(arguments):
        name, _, value = argument.partition("=")
        if name == "--lang":
            return "pt" if (value or "".join(arguments[index + 1 : index + 2])) == "pt" else "en"
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if locale_name := environment.get(variable):
            break
    else:
        locale_name = locale.getlocale()[0] or ""  # systems without these variables
    return "pt" if locale_name.lower().startswith(("pt", "portug")) else "en"


def localized_context(text: Texts) -> type[click.Context]:
    """Return a context whose help has headings and usage lines in the language of ``text``."""

    class Help(click.HelpFormatter):
        def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
            super().write_usage(prog, args, prefix or text("usage"))

        def write_heading(self, heading: str) -> None:
            super().write_heading(text(heading) if heading in TEXTS else heading)

    class Context(click.Context):
        formatter_class = Help

    return Context
