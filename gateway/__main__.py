"""``make run``: the whole API on this machine until Ctrl-C."""

from __future__ import annotations

import os
import re
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from access import StoreUnavailable
from gateway.server import Supervisor
from gateway.template import load
from wiring.local import check_settings, prepare_store, set_local_defaults, shown_store
from wiring.settings import Settings


def _number(name: str, default: int) -> int:
    value = os.environ.get(name, "").strip() or str(default)
    if not re.fullmatch("[0-9]{1,5}", value):
        raise SystemExit(f"{name} takes a whole number, not {value!r}")
    return int(value)


HOST = os.environ.get("HOST", "").strip() or "127.0.0.1"
PORT = _number("PORT", 8000)
WORKERS = _number("WORKERS", 0) or min(8, os.cpu_count() or 1)

BANNER = """
brskills is ready at {base} (Ctrl-C stops it); its store is at {store}. Try:

curl -s {base}/api/v1/skills/pix -H 'X-API-Key: {key}' -H 'Content-Type: application/json' \\
  -d '{{"chave": "pix@exemplo.com.br", "valor": "49.90", "nome_recebedor": "Padaria", "cidade": "São Paulo"}}'

curl -s {base}/api/v1/skills/cnpj/SANDBOX1000170 -H 'X-API-Key: {key}'
"""


def greet(settings: Settings, store: str) -> None:
    """Say where the service is, and how to try it."""
    host = "127.0.0.1" if HOST in {"0.0.0.0", "::"} else HOST  # noqa: S104, only compared
    print(
        BANNER.format(base=f"http://{host}:{PORT}", store=store, key=settings.demo_api_key),
        flush=True,
    )


def check() -> Settings:
    """The settings; raises SystemExit with one line that names a wrong one."""
    try:
        return check_settings()
    except ValueError as wrong:
        raise SystemExit(str(wrong)) from None


def listen() -> socket.socket:
    """The socket that clients connect to; raises SystemExit with one line where the port is in use."""
    family = socket.AF_INET6 if ":" in HOST else socket.AF_INET
    try:
        return socket.create_server((HOST, PORT), family=family)
    except (OSError, OverflowError) as wrong:
        raise SystemExit(f"cannot listen at HOST={HOST}, PORT={PORT}: {wrong}") from None


@contextmanager
def memory_shared() -> Iterator[None]:
    """Where the store is to be ``memory``: a file that all workers see, and that goes with the gateway."""
    if os.environ["STORE"] != "memory":
        yield
        return
    with TemporaryDirectory(prefix="brskills-") as folder:
        os.environ["STORE"] = f"sqlite:///{folder}/memory.db"
        yield


def serve(listener: socket.socket, settings: Settings, store: str) -> None:
    """Serve until a signal; raises SystemExit with one line where the service ends by itself."""
    supervisor = Supervisor(listener, WORKERS, lambda: greet(settings, store))
    supervisor.run()
    if not supervisor.has_started:
        raise SystemExit("the gateway did not start")


def main() -> None:
    """Check the settings, prepare the store, serve."""
    sys.path.insert(0, str(Path(__file__).parent.parent))
    os.environ.setdefault("POWERTOOLS_LOG_LEVEL", "WARNING")
    set_local_defaults()
    settings = check()
    store = shown_store(settings.store)
    listener = listen()
    with memory_shared():
        try:
            prepare_store(load().tables)
        except (StoreUnavailable, ValueError) as failure:
            raise SystemExit(f"the store cannot be used: {failure}") from None
        serve(listener, settings, store)


if __name__ == "__main__":
    main()
