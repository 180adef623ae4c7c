"""The gateway's own settings, beside those of the service (``brskills_server.runtime.settings``)."""

from __future__ import annotations

import os
from dataclasses import dataclass

from brskills_server.runtime.configuration import load_configuration
from brskills_server.runtime.custom_skills import find_custom_skills
from brskills_server.runtime.local import read_settings, set_local_defaults
from brskills_server.runtime.settings import Settings
from brskills_server.runtime.settings_reader import Reader, quoted

__all__ = ["GatewaySettings", "read_all_settings"]

_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")


@dataclass(frozen=True, slots=True)
class GatewaySettings:
    """``metrics_port``: 0 is off. ``log_format``: ``text`` or ``json``."""

    host: str
    port: int
    workers: int
    metrics_host: str
    metrics_port: int
    log_format: str
    drain_seconds: int

    @classmethod
    def read(cls, reader: Reader) -> GatewaySettings:
        """The settings; what is wrong is among the reader's faults."""
        reader.read("POWERTOOLS_LOG_LEVEL", "WARNING", _level)  # a wrong one would end the workers
        return cls(
            host=reader.read("HOST", "127.0.0.1", _host),
            port=reader.whole("PORT", 8000, least=1, most=65_535),
            workers=reader.whole("WORKERS", 0, most=1000) or min(8, os.cpu_count() or 1),
            metrics_host=reader.read("METRICS_HOST", "127.0.0.1", _host),
            metrics_port=reader.whole("METRICS_PORT", 0, most=65_535),
            log_format=reader.one_of("LOG_FORMAT", "text", "json"),
            drain_seconds=reader.whole("DRAIN_SECONDS", 0, most=3600),
        )


def _host(value: str) -> str:
    try:
        value.encode("idna")
    except UnicodeError:
        raise ValueError(f"takes a name or an address, not {quoted(value)}") from None
    if not value.isprintable() or " " in value:
        raise ValueError(f"takes a name or an address, not {quoted(value)}")
    return value


def _level(value: str) -> str:
    if value.upper() not in _LEVELS:
        raise ValueError(f"takes {', '.join(_LEVELS)}")
    return value.upper()


def read_all_settings() -> tuple[GatewaySettings, Settings]:
    """From files and environment, checked; raises ``InvalidSettings`` with everything that is wrong."""
    reader = Reader(os.environ)
    reader.check(load_configuration)
    os.environ.setdefault("POWERTOOLS_LOG_LEVEL", "WARNING")
    set_local_defaults()
    own, settings = GatewaySettings.read(reader), read_settings(reader)
    # Not for the operator's commands: a key can be revoked whatever a package is like.
    reader.check(lambda: find_custom_skills(settings.skill_plans))
    reader.finish()
    return own, settings
