"""What went wrong, in the caller's language, and the exit code that goes with it."""

from __future__ import annotations

from typing import Any

import click

from brskills.command import exits
from brskills.command.shell import as_json as to_json
from brskills.command.shell import printable, tell
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

__all__ = ["Misuse", "tell_fault", "told"]


class Misuse(click.UsageError):
    """A command cannot do what it was asked for; the message is in the caller's language."""


def tell_fault(
    fault: click.ClickException | BrskillsError | OSError, say: Say, *, as_json: bool = False
) -> int:
    """Write what happened to standard error; the exit code."""
    code, lines = told(fault, say)
    if as_json:
        tell(to_json(_members(fault, code, lines)), err=True)
    else:
        for line in lines:
            tell(printable(line), err=True)
    return code


def told(fault: Exception, say: Say) -> tuple[int, list[str]]:
    """The exit code and the lines that tell of a fault."""
    match fault:
        case click.UsageError():
            return exits.USAGE, _usage(fault, say)
        case click.ClickException():
            return exits.USAGE, [fault.format_message()]
        case InvalidFields():
            return exits.USAGE, [
                f"{fault.title}:",
                *(f"  {each.field}: {each.detail}" for each in fault.errors),
            ]
        case ProblemError():
            return exits.exit_of(fault), [f"{fault.title}: {fault.detail}"]
        case NoKey():
            return exits.NO_KEY, [say("no_key")]
        case KeyFileExists():
            return exits.USAGE, [say("key_exists", path=fault.path)]
        case ReadableKeyFile():
            return exits.NO_KEY, [say("key_readable", path=fault.path)]
        case ConfigurationError():
            return exits.USAGE, [say("bad_settings")]
        case ConnectionFailed():
            return exits.LATER, [say("unreachable", kind=fault.kind, local=LOCAL_URL)]
        case UnexpectedAnswer():
            return exits.exit_of(fault), [say("unexpected", status=fault.status)]
    told_of = (getattr(fault, "filename", None), getattr(fault, "strerror", None))
    reason = ": ".join(str(each) for each in told_of if each)
    wrong = isinstance(fault, (FileNotFoundError, PermissionError, IsADirectoryError, NotADirectoryError))
    return (exits.USAGE if wrong else exits.UNEXPECTED), [say("file_fault", reason=reason)]


def _usage(fault: click.UsageError, say: Say) -> list[str]:
    if isinstance(fault, click.exceptions.NoArgsIsHelpError):
        return fault.format_message().splitlines()
    path = fault.ctx.command_path if fault.ctx else "brskills"
    usage = fault.ctx.get_usage().splitlines() if fault.ctx else []
    return [*usage, _misuse(fault, say), say("see_help", command=path)]


def _misuse(fault: click.UsageError, say: Say) -> str:
    match fault:
        case click.NoSuchOption():
            return say("no_such_option", name=fault.option_name)
        case click.BadOptionUsage():
            return say("bad_value", name=fault.option_name)
        case click.MissingParameter():
            return say("missing", name=_name(fault.param))
        case click.BadParameter():
            return say("bad_value", name=_name(fault.param))
        case Misuse():
            return fault.message
    return say("bad_usage")


def _name(param: click.Parameter | None) -> str:
    if isinstance(param, click.Argument):
        return (param.metavar or param.name or "").strip("[]")
    return param.opts[-1] if param else ""


def _members(fault: Exception, code: int, lines: list[str]) -> dict[str, Any]:
    """The fault for programs: the service's problem as it came, or its kind and text."""
    if isinstance(fault, ProblemError):
        return {"exit": code, **fault.members}
    return {"exit": code, "code": type(fault).__name__, "detail": " ".join(lines)}
