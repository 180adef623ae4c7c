"""Why a charge cannot become a code.

``InvalidCharge`` carries every faulty field at once, each as an ``Issue``.
"""

from __future__ import annotations

from collections.abc import Mapping

from brcode import texts
from brcode.record import Record

__all__ = ["InvalidCharge", "Issue"]


class Issue(Record):
    """One thing wrong with one field: a stable ``code`` and the parameters of its text.

    ``params["right"]``, where it is known, is the corrected value.
    """

    field: str
    code: str
    params: Mapping[str, str | int]

    def detail(self, language: str = "pt", names: Mapping[str, str] = texts.OWN_NAMES) -> str:
        """What is wrong and what would be right, in ``"pt"`` or ``"en"``.

        ``names`` gives the caller's own names of fields; a field that it does not hold goes by its EMV name.
        """
        return texts.issue(self.code, self.field, self.params, language, names)


class InvalidCharge(ValueError):
    """The charge breaks rules; ``issues`` names each, in the order of the parameters of ``encode``."""

    def __init__(self, issues: tuple[Issue, ...]) -> None:
        super().__init__(issues)
        self.issues = issues

    @classmethod
    def of(cls, field: str, code: str, **params: str | int) -> InvalidCharge:
        """The refusal of one field."""
        return cls((Issue(field, code, params),))

    def __str__(self) -> str:
        return " ".join(issue.detail("en") for issue in self.issues)
