"""How the command ends, as scripts see it."""

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
    "FAULTY",
    "INTERRUPTED",
    "LATER",
    "LIMIT",
    "NO_KEY",
    "OK",
    "UNEXPECTED",
    "USAGE",
    "exit_of",
]

OK = 0
UNEXPECTED = 1  # an answer that nobody foresaw, a disk that is full
USAGE = 2  # the command line, a file or a field is wrong: nothing was counted
NO_KEY = 3  # no key, or one that is not valid
ABSENT = 4  # the company does not exist, or nobody knows it yet
FAULTY = 5  # the code breaks a rule, or its payee deserves a second look
LIMIT = 6  # the month is used up, or too many keys were asked for
LATER = 7  # the service or its sources do not answer: the same command may work later
INTERRUPTED = 130


def exit_of(error: BrskillsError) -> int:
    """The exit code that an error stands for."""
    match error:
        case InvalidFields() | ConfigurationError():
            return USAGE
        case InvalidKey() | DemoKey() | SignupClosed():
            return NO_KEY
        case CompanyNotFound():
            return ABSENT
        case QuotaExceeded() | SignupLimit():
            return LIMIT
        case ProblemError(status=400 | 413):  # a text too long, or with characters that JSON has not
            return USAGE
    return LATER if error.transient else UNEXPECTED
