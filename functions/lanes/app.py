"""Every five minutes: gateway keys of their own for paying accounts, by a schedule of EventBridge's."""

from dataclasses import asdict

from aws_lambda_powertools import Logger

from brskills_server import telemetry
from brskills_server.accounts.errors import AccessError
from brskills_server.runtime.services import open_services
from brskills_server.telemetry.figures import JOBS

lanes = open_services().own_lanes
logger = Logger(service="lanes")


def handler(_event: dict[str, object], _context: object) -> None:
    """One round; it logs numbers, and never raises for a store or a gateway that fails."""
    try:
        telemetry.count(JOBS, "lanes", "done" if _run() else "failed")
    finally:
        telemetry.flush()


def _run() -> bool:
    try:
        done = lanes.run()
    except AccessError as failure:
        logger.warning("no round", error=type(failure).__name__, reason=str(failure))
        return False
    report = logger.warning if done.failed or done.waiting else logger.info
    report("round", **asdict(done))
    return not done.failed
