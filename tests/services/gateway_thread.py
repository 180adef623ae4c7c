"""The gateway in a thread of the test's process, for tests of neither its processes nor its output."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from uvicorn import Config, Server

from brskills_server.gateway.application import Gateway
from brskills_server.gateway.listener import LOOP, bind
from brskills_server.gateway.protocol import IDLE_SECONDS, Protocol
from brskills_server.gateway.template import load
from brskills_server.runtime.companies import open_companies
from brskills_server.runtime.local import prepare_store
from brskills_server.runtime.services import open_services

__all__ = ["gateway_thread"]

_DEFAULTS = {"STORE": "memory", "REGISTRY_COPY": os.devnull, "STORE_TIMEOUT_SECONDS": "5"}


@contextmanager
def gateway_thread(**environment: str) -> Iterator[str]:
    """The base URL of a gateway with these settings; by default its store is in memory."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("AWS_", "STORE")) and not name.endswith("_URL")
    }
    with patch.dict(os.environ, inherited | _DEFAULTS | environment, clear=True):
        open_services.cache_clear()
        prepare_store(load().tables)
        application, services = Gateway(load()), open_services()
        open_services.cache_clear()
    config = Config(
        application,
        http=Protocol,
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=1,
        proxy_headers=False,
        server_header=False,
        access_log=False,
        log_config=None,
        lifespan="on",
        loop=LOOP,
        ws="none",
    )
    server = Server(config)
    with bind("127.0.0.1", 0) as listener:
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
