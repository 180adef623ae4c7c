"""``make smoke URL=…``: check a deployment by at most 15 requests, one at a time.

It signs up for a key, which it revokes at the end, or uses the one in ``API_KEY``, at the cost of one call.
Exit codes: 0 all passed, 1 a check failed, 2 wrong arguments, 130 Ctrl-C.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Sequence

from deployment.smoke.address import base_url
from deployment.smoke.key_checks import KeyChecks, revoke, sign_up
from deployment.smoke.open_checks import health, open_checks
from deployment.smoke.report import Report
from deployment.smoke.service import Service, Unreachable


def main(typed: Sequence[str] | None = None) -> int:
    """Check the service at the address of the command line. Return the exit code."""
    parser = ArgumentParser(prog="make smoke", usage="make smoke URL=https://api.example.com [API_KEY=…]")
    parser.add_argument("url", metavar="URL", nargs="?")
    parser.add_argument("--seconds", type=float, default=30, help="how long a request may take")
    arguments, key, report = parser.parse_args(typed), os.environ.get("API_KEY", ""), Report()
    if not arguments.url:
        parser.print_usage(sys.stderr)
        return 2
    if not (key.isascii() and key.isprintable()):
        parser.error("API_KEY must be a key of the service")
    try:
        base = base_url(arguments.url)
    except ValueError as error:
        parser.error(str(error))
    with Service(base, arguments.seconds) as service:
        try:
            run(service, key, report)
        except Unreachable:
            print("The checks that remain were left out.")
        except KeyboardInterrupt:
            return 130
        print(f"{report.passed} passed, {report.failed} failed, requests: {service.requests}")
    return 1 if report.failed else 0


def run(service: Service, given_key: str, report: Report) -> None:
    """Run all checks; without a healthy service no other. Raise ``Unreachable`` for a missing answer."""
    if not report.check("the service is healthy", lambda: health(service)):
        print("The checks that remain were left out.")
        return
    report.check_all(open_checks(service))
    if given_key:
        service.key = given_key
        _run_with_key(service, report)
    elif report.check("a key is issued", lambda: sign_up(service)):
        try:
            _run_with_key(service, report)
        finally:
            report.check("the key is revoked", lambda: revoke(service))


def _run_with_key(service: Service, report: Report) -> None:
    checks = KeyChecks(service)
    if report.check("the key is accepted", checks.usage):
        report.check_all(checks.checks())


if __name__ == "__main__":
    sys.exit(main())
