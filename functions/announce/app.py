"""Comparison of watched companies with a new month of the register, on a schedule of five minutes."""

import time
from typing import Any

from aws_lambda_powertools import Logger

from brskills_server.runtime.announcer import open_announcer
from brskills_server.runtime.services import open_services

announcer = open_announcer(open_services())
logger = Logger(service="announce")

_LAST_PAGE_SECONDS = 60  # for what is under way when the time is over


def handler(_event: dict[str, object], context: Any) -> None:
    """Compare until nothing is left or the time is over; the next run continues, also after an error."""
    if announcer is None:
        return
    seconds = context.get_remaining_time_in_millis() / 1000 - _LAST_PAGE_SECONDS
    if not announcer.run(time.monotonic() + seconds):
        logger.info("continued by the next run")
