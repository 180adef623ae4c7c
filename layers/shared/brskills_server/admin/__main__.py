"""Arguments, exit codes and the store to work on.

The store is the one that ``STORE`` names, by default that of ``make run``; for ``STORE=dynamodb``, the
table ``ACCESS_TABLE`` (``Access``) as botocore finds it in AWS, or where ``AWS_ENDPOINT_URL_DYNAMODB`` leads.
What was asked for goes to standard output, remarks to standard error. Exit codes: 0 done, 1 no such
account, 2 wrong arguments or settings, 3 the store is out of reach, 4 refused, with the reason, 130 Ctrl-C.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence

from brskills_server.accounts.accounts import Accounts
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.admin import commands, grants
from brskills_server.admin.listing import printable
from brskills_server.admin.person import restore, show_data
from brskills_server.admin.transfer import move
from brskills_server.runtime.local import open_local_services

STORE_TIMEOUT_SECONDS = 10
PLANS = ("free", "pro", "enterprise")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code."""
    options = vars(_parser().parse_args(arguments))
    run, takes_accounts = options.pop("run"), options.pop("takes_accounts", True)
    try:
        if takes_accounts:
            run(open_accounts(), **options)
        else:
            run(**options)
    except ValueError as wrong:
        return _fail(2, str(wrong))
    except commands.Refused as refused:
        return _fail(4, str(refused))
    except KeyError as unknown:
        return _fail(1, f"no such account: {printable(unknown.args[0])}")
    except StoreUnavailable as failure:
        return _fail(3, f"the store did not do it all, look before repeating: {failure}")
    except KeyboardInterrupt:
        return _fail(130, "broken off, look before repeating")
    except BrokenPipeError:  # `… | head` has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def open_accounts() -> Accounts:
    """The accounts of the configured store; ``ValueError`` names a setting that is missing or wrong."""
    return open_local_services(STORE_TIMEOUT_SECONDS).accounts


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Accounts and keys, for the operator.", allow_abbrev=False)
    verbs = parser.add_subparsers(required=True, metavar="command")

    listing = verbs.add_parser("list", help="every account, or those of a plan")
    listing.add_argument("--plan", choices=PLANS)
    listing.set_defaults(run=commands.list_accounts)

    finding = verbs.add_parser("find", help="accounts by id, e-mail, or Stripe's customer or subscription id")
    finding.add_argument("text", nargs="?", help="an id, or any part of an e-mail; without it, typed")
    finding.set_defaults(run=commands.find)

    finding_key = verbs.add_parser("find-key", help="the account of a key, active or ended; asks for the key")
    finding_key.set_defaults(run=commands.find_key)

    showing = verbs.add_parser("show", help="one account with the calls of its months")
    showing.add_argument("account")
    showing.set_defaults(run=commands.show)

    opening = verbs.add_parser("open", help="a new account; prints its key, once")
    opening.add_argument("plan", choices=PLANS)
    opening.add_argument("--email", help="an address, or `-` for one that is typed")
    opening.set_defaults(run=commands.open_account)

    renewing = verbs.add_parser("new-key", help="a further key of an account; prints it, once")
    renewing.add_argument("account")
    renewing.add_argument("--revoke-others", action="store_true", help="end every other key at once")
    renewing.set_defaults(run=commands.new_key)

    recovering = verbs.add_parser(
        "recover",
        help="end every key and access, and print a new key, once: for an owner who proved the e-mail",
    )
    recovering.add_argument("account")
    recovering.set_defaults(run=commands.recover)

    changing = verbs.add_parser("set-plan", help="move an account to a plan; keys and count stay")
    changing.add_argument("account")
    changing.add_argument("plan", choices=PLANS)
    changing.set_defaults(run=commands.set_plan)

    limiting = verbs.add_parser(
        "set-limit", help="another monthly limit than the plan's, until the plan changes"
    )
    limiting.add_argument("account")
    limiting.add_argument(
        "limit", type=_limit, help="calls a month, `unlimited`, or `plan` for the plan's own"
    )
    limiting.set_defaults(run=commands.set_limit)

    deleting = verbs.add_parser("delete", help="delete an account for good; prints a receipt")
    deleting.add_argument("account")
    deleting.set_defaults(run=commands.delete)

    telling = verbs.add_parser("data", help="everything that is stored of an account, as JSON, for its owner")
    telling.add_argument("account")
    telling.set_defaults(run=show_data, takes_accounts=False)

    restoring = verbs.add_parser("bring-back", help="a deleted account out of a backup, by its id")
    restoring.add_argument("source", metavar="FROM", help="the backup, written as in STORE")
    restoring.add_argument("account")
    restoring.set_defaults(run=restore, takes_accounts=False)

    revoking = verbs.add_parser("revoke", help="end every key of an account, at once")
    revoking.add_argument("account")
    revoking.set_defaults(run=commands.revoke)

    exporting = verbs.add_parser("export", help="calls by account and month, as CSV")
    exporting.add_argument("--month", type=_month, help="as 2026-11; without it, every month there is")
    exporting.set_defaults(run=commands.export)

    listing_skills = verbs.add_parser("skills", help="the custom skills, and who may use them")
    listing_skills.set_defaults(run=grants.list_skills)

    for verb, run, help_text in (
        ("grant", grants.grant, "let an account use a custom skill, at once"),
        ("ungrant", grants.ungrant, "take a granted skill back, at once"),
    ):
        granting = verbs.add_parser(verb, help=help_text)
        granting.add_argument("account")
        granting.add_argument("skill")
        granting.set_defaults(run=run)

    demonstrating = verbs.add_parser("demo", help="how much the public demo key is used, by month")
    demonstrating.set_defaults(run=commands.demo)

    moving = verbs.add_parser("move", help="everything of one store into another that is empty")
    moving.add_argument("source", metavar="FROM", help="a store, written as in STORE")
    moving.add_argument("target", metavar="TO", nargs="?", help="without it, the store that STORE names")
    moving.set_defaults(run=move, takes_accounts=False)
    return parser


def _limit(text: str) -> int | str:
    if text in {"unlimited", "plan"}:
        return text
    if not re.fullmatch("[0-9]{1,12}", text):
        raise argparse.ArgumentTypeError("a limit is a whole number, `unlimited` or `plan`")
    return int(text)


def _month(text: str) -> str:
    if not re.fullmatch(r"\d{4}-(0[1-9]|1[0-2])", text):
        raise argparse.ArgumentTypeError("a month is written as 2026-11")
    return text


def _fail(code: int, message: str) -> int:
    print(message, file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
