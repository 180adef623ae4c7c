"""Every few minutes: evidence of providers that nobody has asked lately, by a schedule of EventBridge's."""

from aws_lambda_powertools import Logger

import telemetry
from telemetry.figures import JOBS
from wiring.services import open_services

registry = open_services().registry
logger = Logger(service="probe")


def handler(_event: dict[str, object], _context: object) -> None:
    """One round; what comes of it is in what all instances share of the providers."""
    try:
        registry.probe()
    except TimeoutError:
        logger.warning("no round in time")
        telemetry.count(JOBS, "probe", "failed")
    else:
        telemetry.count(JOBS, "probe", "done")
    finally:
        telemetry.flush()
