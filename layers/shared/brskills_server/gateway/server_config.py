"""The settings of uvicorn that all servers of the gateway share."""

from typing import Any

from uvicorn import Config

from brskills_server.gateway.listener import BACKLOG
from brskills_server.gateway.protocol import Protocol

IDLE_SECONDS = 75
"""Between two calls on a connection; longer than reverse proxies keep idle connections."""


def server_config(application: Any, **options: Any) -> Config:
    """Return uvicorn's configuration of a server with this protocol."""
    return Config(
        application,
        http=Protocol,
        loop="uvloop",
        backlog=BACKLOG,
        timeout_keep_alive=IDLE_SECONDS,
        proxy_headers=False,  # TRUSTED_PROXIES decides which forwarding headers are trusted
        access_log=False,
        ws="none",
        **options,
    )
