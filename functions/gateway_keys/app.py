"""Create and delete the dedicated gateway keys of paying accounts, on a schedule of five minutes."""

from dataclasses import asdict

from aws_lambda_powertools import Logger

from brskills_server import telemetry
from brskills_server.accounts.errors import AccessError
from brskills_server.runtime.services import open_services
from brskills_server.telemetry.figures import JOBS

gateway_keys = open_services().dedicated_gateway_keys
logger = Logger(service="gateway_keys")


def handler(_event: dict[str, object], _context: object) -> None:
    """Run once and log the numbers; a failing store or gateway raises nothing."""
    try:
        telemetry.count(JOBS, "gateway_keys", "done" if _run() else "failed")
    finally:
        telemetry.flush()


def _run() -> bool:
    try:
        done = gateway_keys.run()
    except AccessError as failure:
        logger.warning("no round", error=type(failure).__name__, reason=str(failure))
        return False
    report = logger.warning if done.failed or done.waiting else logger.info
    report("round", **asdict(done))
    return not done.failed
