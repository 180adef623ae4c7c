"""Errors in the user's language, with their exit codes."""

from __future__ import annotations

from typing import Any

import click

from brskills.command import exits
from brskills.command.shell import as_json as to_json
from brskills.command.shell import printable, write_line
from brskills.command.texts import Say
from brskills.errors import (
    BrskillsError,
    ConfigurationError,
    ConnectionFailed,
    InvalidFields,
    ProblemError,
    UnexpectedAnswer,
)
from brskills.keyfile import KeyFileExists, ReadableKeyFile
from brskills.settings import LOCAL_URL, NoKey

__all__ = ["Misuse", "describe", "report_error"]


class Misuse(click.UsageError):
    """A command line that cannot be run; the message is in the user's language."""


def report_error(
    error: click.ClickException | BrskillsError | OSError, say: Say, *, as_json: bool = False
) -> int:
    """Write an error to standard error. Return the exit code."""
    code, lines = describe(error, say)
    if as_json:
        write_line(to_json(_members(error, code, lines)), err=True)
    else:
        for line in lines:
            write_line(printable(line), err=True)
    return code


def describe(error: Exception, say: Say) -> tuple[int, list[str]]:
    """Return the exit code and the lines that describe an error."""
    match error:
        case click.UsageError():
            return exits.USAGE, _usage(error, say)
        case click.ClickException():
            return exits.USAGE, [error.format_message()]
        case InvalidFields():
            return exits.USAGE, [
                f"{error.title}:",
                *(f"  {each.field}: {each.detail}" for each in error.errors),
            ]
        case ProblemError():
            return exits.exit_of(error), [f"{error.title}: {error.detail}"]
        case NoKey():
            return exits.NO_KEY, [say("no_key")]
        case KeyFileExists():
            return exits.USAGE, [say("key_exists", path=error.path)]
        case ReadableKeyFile():
            return exits.NO_KEY, [say("key_readable", path=error.path)]
        case ConfigurationError():
            return exits.USAGE, [say("bad_settings")]
        case ConnectionFailed():
            return exits.LATER, [say("unreachable", kind=error.kind, local=LOCAL_URL)]
        case UnexpectedAnswer():
            return exits.exit_of(error), [say("unexpected", status=error.status)]
    parts = (getattr(error, "filename", None), getattr(error, "strerror", None))
    reason = ": ".join(str(each) for each in parts if each)
    wrong = isinstance(error, (FileNotFoundError, PermissionError, IsADirectoryError, NotADirectoryError))
    return (exits.USAGE if wrong else exits.UNEXPECTED), [say("file_error", reason=reason)]


def _usage(error: click.UsageError, say: Say) -> list[str]:
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        return error.format_message().splitlines()
    path = error.ctx.command_path if error.ctx else "brskills"
    usage = error.ctx.get_usage().splitlines() if error.ctx else []
    return [*usage, _misuse(error, say), say("see_help", command=path)]


def _misuse(error: click.UsageError, say: Say) -> str:
    match error:
        case click.NoSuchOption():
            return say("no_such_option", name=error.option_name)
        case click.BadOptionUsage():
            return say("bad_value", name=error.option_name)
        case click.MissingParameter():
            return say("missing", name=_name(error.param))
        case click.BadParameter():
            return say("bad_value", name=_name(error.param))
        case Misuse():
            return error.message
    return say("bad_usage")


def _name(param: click.Parameter | None) -> str:
    if isinstance(param, click.Argument):
        return (param.metavar or param.name or "").strip("[]")
    return param.opts[-1] if param else ""


def _members(error: Exception, code: int, lines: list[str]) -> dict[str, Any]:
    """Return the error for programs: the service's problem unchanged, or its class and text."""
    if isinstance(error, ProblemError):
        return {"exit": code, **error.members}
    return {"exit": code, "code": type(error).__name__, "detail": " ".join(lines)}
