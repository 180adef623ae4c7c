"""``make run``: the whole API on this machine until Ctrl-C."""

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
from brskills_server.gateway.banner import copy_day, greet
from brskills_server.gateway.descriptors import raise_limit
from brskills_server.gateway.log import report
from brskills_server.gateway.loop import bind
from brskills_server.gateway.metrics import served_metrics
from brskills_server.gateway.schedule import Schedule, jobs_of
from brskills_server.gateway.server import Supervisor
from brskills_server.gateway.settings import read_all_settings
from brskills_server.gateway.template import load
from brskills_server.runtime.gateway_settings import GatewaySettings
from brskills_server.runtime.local import prepare_store, shown_store
from brskills_server.runtime.services import Services
from brskills_server.runtime.settings import VERSION
from brskills_server.runtime.settings_reader import InvalidSettings


def listen(settings: GatewaySettings) -> socket.socket:
    """The socket that clients connect to; raises SystemExit with one line where the port is in use."""
    try:
        return bind(settings.host, settings.port)
    except OSError as wrong:
        raise SystemExit(f"cannot listen at HOST={settings.host}, PORT={settings.port}: {wrong}") from None


@contextmanager
def memory_shared(store: str) -> Iterator[tuple[str, ...]]:
    """Where the store is to be ``memory``: a file that all workers see; its folder goes with the gateway."""
    if store != "memory":
        yield ()
        return
    with TemporaryDirectory(prefix="brskills-") as folder:
        os.environ["STORE"] = f"sqlite:///{folder}/memory.db"
        yield (folder,)


@contextmanager
def measured(settings: GatewaySettings) -> Iterator[tuple[str, ...]]:
    """Figures at ``METRICS_PORT``, if there is one, with the folder of their files.

    Raises SystemExit with one line where that cannot be.
    """
    with ExitStack() as stack:
        folders: tuple[str, ...] = ()
        if settings.metrics_port:
            try:
                served = served_metrics(settings.metrics_host, settings.metrics_port)
                folders = (stack.enter_context(served),)
            except OSError as wrong:
                place = f"METRICS_HOST={settings.metrics_host}, METRICS_PORT={settings.metrics_port}"
                raise SystemExit(f"cannot give figures at {place}: {wrong}") from None
        yield folders


def end_in_order() -> None:
    """Have a signal end this process by ``SystemExit``, so that what was made is cleared away.

    It holds until the supervisor takes the signals over.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda received, _: sys.exit(128 + received))


def prepare() -> Services:
    """The store with all that it needs; raises SystemExit with one line where it cannot be used."""
    try:
        return prepare_store(load().tables)
    except (StoreUnavailable, ValueError) as failure:
        raise SystemExit(f"the store cannot be used: {failure}") from None


def read_arguments() -> argparse.Namespace:
    """The few that there are: every setting is a variable."""
    parser = argparse.ArgumentParser(
        description="Serves the API until SIGTERM or Ctrl-C. It is set by environment variables.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=VERSION)
    parser.add_argument("--check", action="store_true", help="look at the settings, say what is wrong, end")
    return parser.parse_args()


def main() -> None:
    """Check the settings, prepare the store, serve until a signal; raises SystemExit where it cannot."""
    arguments = read_arguments()
    end_in_order()
    try:
        own, settings = read_all_settings()
    except InvalidSettings as wrong:
        raise SystemExit(str(wrong)) from None
    if arguments.check:
        return
    try:
        raise_limit()
    except ValueError as wrong:
        raise SystemExit(str(wrong)) from None
    store = shown_store(settings.store)
    listener = listen(own)
    with memory_shared(settings.store) as memory, measured(own) as figures:
        services = prepare()
        demo_key = settings.demo_api_key if settings.features.demo else None
        schedule = Schedule(jobs_of(services, own.probe_seconds))
        supervisor = Supervisor(
            listener,
            own,
            lambda: greet(own, demo_key, store, copy_day(services)),
            memory + figures,
        )
        schedule.start()
        supervisor.run()
        schedule.stop()
    if not supervisor.has_started:
        raise SystemExit("the gateway did not start")
    report("stopped")


if __name__ == "__main__":
    main()
