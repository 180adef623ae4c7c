"""The sockets and the settings of uvicorn that all servers of the gateway share."""

import socket
from typing import Any

from uvicorn import Config

from brskills_server.gateway.protocol import Protocol

BACKLOG = 4096
"""Connections that the system queues until they are accepted; ``net.core.somaxconn`` may allow fewer."""

IDLE_SECONDS = 75
"""Between two calls on a connection; longer than reverse proxies keep idle connections."""


def bind(host: str, port: int) -> socket.socket:
    """Return a listening socket. Raise ``OSError``."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=BACKLOG)


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
