"""Exit codes of the command."""

from __future__ import annotations

from brskills.errors import (
    BrskillsError,
    CompanyNotFound,
    ConfigurationError,
    DemoKey,
    InvalidFields,
    InvalidKey,
    ProblemError,
    QuotaExceeded,
    SignupClosed,
    SignupLimit,
)

__all__ = [
    "ABSENT",
    "INTERRUPTED",
    "INVALID_CODE",
    "LATER",
    "LIMIT",
    "NO_KEY",
    "OK",
    "UNEXPECTED",
    "USAGE",
    "exit_of",
]

OK = 0
UNEXPECTED = 1  # an unexpected answer, a full disk
USAGE = 2  # invalid command line, file or field: nothing was counted
NO_KEY = 3  # no key, or one that is not valid
ABSENT = 4  # the company does not exist, or no source knows it yet
INVALID_CODE = 5  # the code breaks a rule, or its payee has an alert
LIMIT = 6  # the month is used up, or too many keys were requested
LATER = 7  # the service or its sources are unavailable: the same command may work later
INTERRUPTED = 130


def exit_of(error: BrskillsError) -> int:
    """Return the exit code of an error."""
    match error:
        case InvalidFields() | ConfigurationError():
            return USAGE
        case InvalidKey() | DemoKey() | SignupClosed():
            return NO_KEY
        case CompanyNotFound():
            return ABSENT
        case QuotaExceeded() | SignupLimit():
            return LIMIT
        case ProblemError(status=400 | 413):  # text too long, or with characters outside JSON
            return USAGE
    return LATER if error.transient else UNEXPECTED
