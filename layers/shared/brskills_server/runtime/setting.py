"""The declaration of a setting: its reading, its checks and its row in the README's table follow from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, fields
from typing import Any, NamedTuple


class Setting(NamedTuple):
    """An environment variable.

    ``parse`` turns its text into a value; its ``ValueError`` continues a sentence that begins with the name.
    A secret is given as a literal, as ``file:/path`` or as ``ssm:/name``. ``is_read_late``: ``ssm:`` is
    resolved by the adapter that uses the secret, and again after a rotation; otherwise once, at the start.
    """

    name: str
    default: str = ""
    parse: Callable[[str], Any] = str
    description: str = ""
    documented_default: str = ""
    is_secret: bool = False
    is_read_late: bool = False


def setting(
    default: str | int, parse: Callable[[str], Any], description: str, name: str = "", **options: Any
) -> Any:
    """Declare a field of a settings dataclass; the variable's name is that of the field unless given."""
    declared = Setting(name, str(default), parse, description, **options)
    return field(metadata={"setting": declared}, repr=not declared.is_secret)


def declared_settings(dataclass: type) -> dict[str, Setting]:
    """Return the settings of a dataclass by the names of its fields."""
    return {
        each.name: (declared := each.metadata["setting"])._replace(name=declared.name or each.name.upper())
        for each in fields(dataclass)
    }
