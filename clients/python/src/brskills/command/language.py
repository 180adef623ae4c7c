"""The language of the command's texts."""

from __future__ import annotations

import locale
from collections.abc import Mapping, Sequence

__all__ = ["language_of"]


def language_of(arguments: Sequence[str], environment: Mapping[str, str]) -> str:
    """Return ``pt`` or ``en``: of ``--lang``, else of the system; English for all but Portuguese.

    >>> language_of(["uso", "--lang", "pt"], {"LANG": "en_US.UTF-8"}), language_of([], {"LANG": "pt_BR"})
    ('pt', 'pt')
    """
    for place, argument in enumerate(arguments):
        name, _, value = argument.partition("=")
        if name == "--lang":
            return "pt" if (value or "".join(arguments[place + 1 : place + 2])) == "pt" else "en"
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if locale_name := environment.get(variable):
            break
    else:
        locale_name = locale.getlocale()[0] or ""  # systems without these variables
    return "pt" if locale_name.lower().startswith(("pt", "portug")) else "en"
