"""Why a charge cannot become a code.

``InvalidCharge`` carries every faulty field at once, each as an ``Issue``.
"""

from __future__ import annotations

from collections.abc import Mapping

from brcode import texts
from brcode.record import Record

__all__ = ["InvalidCharge", "Issue"]


class Issue(Record):
    """One thing wrong with one field: a stable ``code`` and what its text speaks of.

    ``params["right"]``, where there is one, is the corrected value.
    """

    field: str
    code: str
    params: Mapping[str, str | int]

    def detail(self, language: str = "pt") -> str:
        """What is wrong and what would be right, in ``"pt"`` or ``"en"``."""
        return texts.issue(self.code, self.field, self.params, language)


class InvalidCharge(ValueError):
    """The charge breaks rules; ``issues`` names each, in the order of the parameters of ``encode``."""

    def __init__(self, issues: tuple[Issue, ...]) -> None:
        super().__init__(issues)
        self.issues = issues

    def __str__(self) -> str:
        return " ".join(issue.detail("en") for issue in self.issues)
