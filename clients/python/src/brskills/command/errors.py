"""Exit codes of the command, and errors in the user's language."""

import errno
from enum import IntEnum
from typing import Any

import click

from brskills.command.language import Texts
from brskills.command.shell import as_json as to_json
from brskills.command.shell import printable, write_line
from brskills.command.texts import TEXTS
from brskills.errors import (
    BrskillsError,
    CompanyNotFound,
    ConfigurationError,
    ConnectionFailed,
    DemoKey,
    InvalidFields,
    InvalidKey,
    ProblemError,
    QuotaExceeded,
    SignupClosed,
    SignupLimit,
    UnexpectedAnswer,
    WatchLimit,
)
from brskills.keyfile import KeyFileExists, ReadableKeyFile
from brskills.settings import LOCAL_URL, NoKey


class Exit(IntEnum):
    """An exit code."""

    OK = 0
    UNEXPECTED = 1  # an unexpected response, a full disk
    USAGE = 2  # invalid command line, file or field: nothing was counted
    NO_KEY = 3  # no key, or one that is not valid
    ABSENT = 4  # the company does not exist, or no source knows it yet
    INVALID_CODE = 5  # the code breaks a rule, or its payee has an alert
    LIMIT = 6  # the month is used up, or too many keys were requested
    UNAVAILABLE = 7  # the service or its sources are unavailable: the same command may work later
    INTERRUPTED = 130


class Misuse(click.UsageError):
    """A command line that cannot be run; the message is in the user's language."""


def report_error(
    error: click.ClickException | BrskillsError | OSError, text: Texts, *, as_json: bool = False
) -> Exit:
    """Write an error to standard error. Return the exit code."""
    code, lines = describe(error, text)
    if as_json:
        write_line(to_json(_members(error, code, lines)), err=True)
    else:
        for line in lines:
            write_line(printable(line), err=True)
    return code


def describe(error: Exception, text: Texts) -> tuple[Exit, list[str]]:
    """Return the exit code and the lines that describe an error."""
    match error:
        case click.UsageError():
            return Exit.USAGE, _usage(error, text)
        case click.ClickException():
            return Exit.USAGE, [error.format_message()]
        case InvalidFields():
            fields: dict[str, list[str]] = {}
            for each in error.errors:
                fields.setdefault(each.detail, []).append(each.field)
            named = ((", ".join(filter(None, names)), detail) for detail, names in fields.items())
            return Exit.USAGE, [
                f"{error.title}:",
                *(f"  {names}: {detail}" if names else f"  {detail}" for names, detail in named),
            ]
        case ProblemError():
            return _exit_of(error), [f"{error.title}: {error.detail}"]
        case NoKey():
            return Exit.NO_KEY, [text("no_key")]
        case KeyFileExists():
            return Exit.USAGE, [text("key_exists", path=error.path)]
        case ReadableKeyFile():
            return Exit.NO_KEY, [text("key_readable", path=error.path)]
        case ConfigurationError():
            return Exit.USAGE, [text("bad_settings")]
        case ConnectionFailed():
            return Exit.UNAVAILABLE, [text("unreachable", kind=error.kind, local=LOCAL_URL)]
        case UnexpectedAnswer():
            return _exit_of(error), [text("unexpected", status=error.status)]
    is_user_error = isinstance(
        error, (FileNotFoundError, PermissionError, IsADirectoryError, NotADirectoryError)
    )
    reason = file_reason(error, text) if isinstance(error, OSError) else ""
    return (Exit.USAGE if is_user_error else Exit.UNEXPECTED), [text("file_error", reason=reason)]


def file_reason(error: OSError, text: Texts) -> str:
    """Return the file of an error and the reason, in the system's language if it is untranslated."""
    name = errno.errorcode.get(error.errno or 0, "")
    reason = text(name) if name in TEXTS else error.strerror
    return ": ".join(str(part) for part in (error.filename, reason) if part)


def _exit_of(error: ProblemError | UnexpectedAnswer) -> Exit:
    match error:
        case InvalidKey() | DemoKey() | SignupClosed():
            return Exit.NO_KEY
        case CompanyNotFound():
            return Exit.ABSENT
        case QuotaExceeded() | SignupLimit() | WatchLimit():
            return Exit.LIMIT
        case ProblemError(status=400 | 413):  # text too long, or with characters outside JSON
            return Exit.USAGE
    return Exit.UNAVAILABLE if error.transient else Exit.UNEXPECTED


def _usage(error: click.UsageError, text: Texts) -> list[str]:
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        return error.format_message().splitlines()
    path = error.ctx.command_path if error.ctx else "brskills"
    usage = error.ctx.get_usage().splitlines() if error.ctx else []
    return [*usage, _misuse(error, text), text("see_help", command=path)]


def _misuse(error: click.UsageError, text: Texts) -> str:
    match error:
        case click.NoSuchOption():
            return text("no_such_option", name=error.option_name)
        case click.BadOptionUsage():
            return text("bad_value", name=error.option_name)
        case click.MissingParameter():
            return text("missing", name=_name(error.param))
        case click.BadParameter():
            return text("bad_value", name=_name(error.param))
        case Misuse():
            return error.message
    return text("bad_usage")


def _name(param: click.Parameter | None) -> str:
    if isinstance(param, click.Argument):
        return (param.metavar or param.name or "").strip("[]")
    return param.opts[-1] if param else ""


def _members(error: Exception, code: Exit, lines: list[str]) -> dict[str, Any]:
    """Return the error for programs: the service's problem unchanged, or its class and text."""
    if isinstance(error, ProblemError):
        return {"exit": code, **error.members}
    return {"exit": code, "code": type(error).__name__, "detail": " ".join(lines)}
