"""``python -m brskills_server.gateway``: serve the whole API on this machine until SIGTERM or Ctrl-C."""

from __future__ import annotations

import argparse
import os
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from tempfile import TemporaryDirectory

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.gateway.banner import greet, snapshot_day
from brskills_server.gateway.deliveries import Deliveries
from brskills_server.gateway.local_key import LocalKey, end_local_key, local_key
from brskills_server.gateway.log import report
from brskills_server.gateway.metrics import serve_metrics
from brskills_server.gateway.schedule import Schedule, gateway_jobs, webhook_jobs
from brskills_server.gateway.server import Supervisor
from brskills_server.gateway.server_config import bind
from brskills_server.gateway.settings import read_all_settings
from brskills_server.gateway.template import load
from brskills_server.gateway.uninterrupted import END_SIGNALS, uninterrupted
from brskills_server.runtime.deliverer import open_deliverer
from brskills_server.runtime.gateway_settings import GatewaySettings
from brskills_server.runtime.local import prepare_store, redact_store_url
from brskills_server.runtime.services import Services
from brskills_server.runtime.settings import VERSION, Settings
from brskills_server.runtime.settings_reader import InvalidSettings


def main() -> None:
    """Check the settings, prepare the store, serve until a signal. Raise ``SystemExit`` with one line."""
    arguments = _parse_arguments()
    for number in END_SIGNALS:  # until the supervisor handles them
        signal.signal(number, lambda received, _: sys.exit(128 + received))
    try:
        gateway_settings, settings = read_all_settings()
        if arguments.check:
            return
    except (InvalidSettings, ValueError) as error:
        raise SystemExit(str(error)) from None
    _serve(gateway_settings, settings, with_local_key=arguments.local_key)


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Serves the API until SIGTERM or Ctrl-C. Settings are environment variables.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=VERSION)
    parser.add_argument("--check", action="store_true", help="check the settings and exit")
    parser.add_argument(
        "--local-key",
        action="store_true",
        help="on loopback, print the key of an account without limit, kept beside the SQLite store",
    )
    return parser.parse_args()


def _serve(gateway_settings: GatewaySettings, settings: Settings, *, with_local_key: bool) -> None:
    store = redact_store_url(settings.store)
    with (
        _listen(gateway_settings) as listener,
        _shared_memory(settings.store) as memory,
        _metrics(gateway_settings) as metrics,
    ):
        services = _prepare_store()
        key, key_file = settings.demo_api_key if settings.features.demo else None, None
        if found := _local_key(services, gateway_settings.host, wanted=with_local_key):
            key, key_file = found
        schedule = Schedule(gateway_jobs(services, gateway_settings.probe_seconds))
        thresholds = Schedule(webhook_jobs(services))
        deliveries = Deliveries(open_deliverer(services))
        supervisor = Supervisor(
            listener,
            gateway_settings,
            lambda: greet(gateway_settings, key, store, snapshot_day(services), key_file),
            memory + metrics,
        )
        schedule.start()
        thresholds.start()
        deliveries.start()
        supervisor.run()
        schedule.stop()
        thresholds.stop()
        deliveries.stop()
    if not supervisor.has_started:
        raise SystemExit("the gateway did not start")
    report("stopped")


def _listen(settings: GatewaySettings) -> socket.socket:
    try:
        return bind(settings.host, settings.port)
    except OSError as error:
        raise SystemExit(f"cannot listen at HOST={settings.host}, PORT={settings.port}: {error}") from None


@contextmanager
def _shared_memory(store: str) -> Iterator[tuple[str, ...]]:
    """Replace the store ``memory`` by a temporary file that all workers share; yield its folder."""
    if store != "memory":
        yield ()
        return
    with uninterrupted(lambda: TemporaryDirectory(prefix="brskills-")) as folder:
        os.environ["STORE"] = f"sqlite:///{folder}/memory.db"
        yield (folder,)


@contextmanager
def _metrics(settings: GatewaySettings) -> Iterator[tuple[str, ...]]:
    """Serve metrics if ``METRICS_PORT`` is set; yield the folder of their files."""
    with ExitStack() as stack:
        folders: tuple[str, ...] = ()
        host, port = settings.metrics_at
        if port:
            try:
                folders = (stack.enter_context(uninterrupted(lambda: serve_metrics(host, port))),)
            except OSError as error:
                raise SystemExit(f"METRICS_PORT: cannot serve metrics at {host}:{port}: {error}") from None
        yield folders


def _prepare_store() -> Services:
    try:
        return prepare_store(load().tables)
    except (StoreUnavailable, ValueError) as error:
        raise SystemExit(f"the store cannot be used: {error}") from None


def _local_key(services: Services, host: str, *, wanted: bool) -> LocalKey | None:
    try:
        end_local_key(services, host)
        return local_key(services, host) if wanted else None
    except (StoreUnavailable, OSError) as error:
        raise SystemExit(f"the local key cannot be kept: {error}") from None


if __name__ == "__main__":
    main()
