"""Issues of a charge or a code, and the exception for a charge that cannot become a code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from brcode import texts
from brcode.rules import REFERENCES

__all__ = ["InvalidCharge", "Issue"]


class Issue(NamedTuple):
    """What is wrong with one field of a charge or one element of a code.

    ``field``: a parameter of ``encode``, a name of ``Fields``, an id path such as ``"26"``, or ``None`` for
    the code as a whole. ``code``: stable; of a code that was read, a rule of ``brcode.rules``. ``params``
    fill the text; ``params["right"]``, where present, is the corrected value.
    """

    field: str | None
    code: str
    params: Mapping[str, str | int]

    @property
    def rule(self) -> str:
        """``code``, under the name it has for rules of a code."""
        return self.code

    @property
    def reference(self) -> str:
        """The manual and section of the rule. Raises ``KeyError`` for an issue of a charge."""
        return REFERENCES[self.code]

    def detail(self, language: str = "pt", names: Mapping[str, str] = texts.OWN_NAMES) -> str:
        """Return what is wrong and how to correct it, in ``"pt"`` or ``"en"``.

        ``names``: the caller's names of fields, by EMV name; a field without one keeps its EMV name.
        """
        return texts.render(self.code, self.field, self.params, language, names)


class InvalidCharge(ValueError):
    """The charge breaks rules; ``issues`` has each, in the order of the parameters of ``encode``."""

    def __init__(self, issues: tuple[Issue, ...]) -> None:
        super().__init__(issues)
        self.issues = issues

    @classmethod
    def of(cls, field: str, code: str, **params: str | int) -> InvalidCharge:
        """Return the exception for one field."""
        return cls((Issue(field, code, params),))

    def __str__(self) -> str:
        return " ".join(issue.detail("en") for issue in self.issues)
