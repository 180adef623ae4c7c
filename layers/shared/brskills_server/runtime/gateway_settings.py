"""The settings that only the gateway reads."""

from __future__ import annotations

import os
from dataclasses import dataclass

from brskills_server.runtime import setting_types as types
from brskills_server.runtime.setting import setting
from brskills_server.runtime.settings_reader import Reader


@dataclass(frozen=True, kw_only=True)
class GatewaySettings:
    """The settings of a gateway. A field is the variable of the same name in upper case."""

    host: str = setting("127.0.0.1", types.host, "name or address to listen at")
    port: int = setting(8000, types.whole(1, 65_535), "port to listen at")
    workers: int = setting(
        0,
        types.whole(0, 1000),
        "processes, each with 32 threads for each function",
        documented_default="one a core, at most 8",
    )
    metrics_at: tuple[str, int] = setting(
        0,
        types.listening_address,
        "port at which Prometheus reads metrics, or `host:port`; 0: no metrics",
        name="METRICS_PORT",
    )
    log_format: str = setting("text", types.choice("text", "json"), "`json`: one object a line")
    drain_seconds: int = setting(
        0,
        types.whole(0, 3600),
        "how long after SIGTERM calls are answered while the health check fails, before it stops",
    )
    probe_seconds: int = setting(
        0,
        types.whole(0, 86_400),
        "how often idle providers are [probed](docs/operate/monitoring.md); 0: never; on AWS `ProbeMinutes`",
    )

    @classmethod
    def read(cls, reader: Reader) -> GatewaySettings:
        """Read the variables; the reader collects the issues."""
        values = reader.read_all(cls)
        return cls(**{**values, "workers": values["workers"] or min(8, os.cpu_count() or 1)})
