"""The gateway in threads of the test's process, for tests of neither its processes nor its output."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from unittest.mock import patch

from uvicorn import Server

from brskills_server.gateway import deliveries, schedule
from brskills_server.gateway.application import Gateway
from brskills_server.gateway.server_config import bind, server_config
from brskills_server.gateway.template import load
from brskills_server.runtime.companies import open_companies
from brskills_server.runtime.deliverer import open_deliverer
from brskills_server.runtime.local import prepare_store
from brskills_server.runtime.services import Services, open_services

__all__ = ["gateway_thread"]

_DEFAULTS = {"STORE": "memory", "REGISTRY_COPY": os.devnull, "STORE_TIMEOUT_SECONDS": "5"}


@contextmanager
def gateway_thread(**environment: str) -> Iterator[str]:
    """The base URL of a gateway with these settings; by default its store is in memory.

    One that may call webhooks of this machine does so, without the pauses of a real one.
    """
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("AWS_", "STORE")) and not name.endswith("_URL")
    }
    with patch.dict(os.environ, inherited | _DEFAULTS | environment, clear=True):
        open_services.cache_clear()
        prepare_store(load().tables)
        application, services = Gateway(load()), open_services()
        delivering = _delivering(services) if "WEBHOOK_ALLOW_LOOPBACK" in environment else nullcontext()
        open_services.cache_clear()
    server = Server(
        server_config(application, timeout_graceful_shutdown=1, server_header=False, log_config=None)
    )
    with bind("127.0.0.1", 0) as listener, delivering:
        thread = threading.Thread(target=server.run, args=([listener],), name="gateway", daemon=True)
        thread.start()
        try:
            while not server.started:
                assert thread.is_alive()
                time.sleep(0.005)
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()
            open_companies(services).registry.close()


@contextmanager
def _delivering(services: Services) -> Iterator[None]:
    with (
        patch.object(deliveries, "LOOK_SECONDS", 0.05),
        patch.object(schedule, "_THRESHOLD_SECONDS", 0.2),
        patch.object(schedule, "_FLUSH_SECONDS", 0.2),
    ):
        jobs = schedule.Schedule([*schedule.webhook_jobs(services), *schedule.worker_jobs(services)])
        attempts = deliveries.Deliveries(open_deliverer(services))
        jobs.start()
        attempts.start()
        yield
        jobs.stop()
        attempts.stop()
