"""Probe of providers without recent calls, on a schedule of EventBridge's."""

from aws_lambda_powertools import Logger

from brskills_server import telemetry
from brskills_server.runtime.companies import open_companies
from brskills_server.runtime.services import open_services
from brskills_server.telemetry.figures import JOBS

registry = open_companies(open_services()).registry
logger = Logger(service="probe")


def handler(_event: dict[str, object], _context: object) -> None:
    """Probe once; results go to the providers' state that all instances share."""
    try:
        registry.probe()
    except TimeoutError:
        logger.warning("no round in time")
        telemetry.count(JOBS, "probe", "failed")
    else:
        telemetry.count(JOBS, "probe", "done")
    finally:
        telemetry.flush()
