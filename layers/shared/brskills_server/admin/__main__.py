"""``brskills-admin``: accounts, keys and custom skills, for the operator.

The store is the one that ``STORE`` names, by default that of ``make run``; for ``STORE=dynamodb``, the
table ``ACCESS_TABLE`` (``Access``) as botocore finds it in AWS, or at ``AWS_ENDPOINT_URL_DYNAMODB``.
Results go to standard output, notes to standard error. Exit codes: 0 done, 1 no such account, 2 wrong
arguments or settings, 3 the store is unavailable, 4 refused, with the reason, 130 Ctrl-C.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.admin import accounts, data, proofs, skills, usage
from brskills_server.admin.console import CommandRejected, printable


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def cli() -> None:
    """Accounts and keys, for the operator."""


for module in (accounts, usage, skills, data, proofs):
    for command in module.COMMANDS:
        cli.add_command(command)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. Return its exit code."""
    try:
        cli.main(arguments, prog_name="brskills-admin", standalone_mode=False)
    except click.ClickException as wrong:
        wrong.show()
        return wrong.exit_code
    except ValueError as wrong:
        return _fail(2, str(wrong))
    except CommandRejected as refused:
        return _fail(4, str(refused))
    except KeyError as unknown:
        return _fail(1, f"no such account: {printable(unknown.args[0])}")
    except StoreUnavailable as failure:
        return _fail(3, f"the store may have done a part of it, check before you repeat it: {failure}")
    except (KeyboardInterrupt, click.Abort):
        return _fail(130, "interrupted, check before you repeat it")
    except BrokenPipeError:  # `… | head` has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _fail(code: int, message: str) -> int:
    click.echo(message, err=True)
    return code


if __name__ == "__main__":
    sys.exit(main())
