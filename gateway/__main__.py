"""``make run``: the whole API on this machine until Ctrl-C."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

from access import StoreUnavailable
from gateway.server import Supervisor
from gateway.template import load
from wiring.local import check_settings, create_tables, set_local_aws_defaults
from wiring.settings import Settings


def _number(name: str, default: int) -> int:
    value = os.environ.get(name, "").strip() or str(default)
    if not re.fullmatch("[0-9]{1,5}", value):
        raise SystemExit(f"{name} takes a whole number, not {value!r}")
    return int(value)


HOST = os.environ.get("HOST", "").strip() or "127.0.0.1"
PORT = _number("PORT", 8000)
WORKERS = _number("WORKERS", 0) or min(8, os.cpu_count() or 1)
STORE_START_SECONDS = 20

BANNER = """
brskills is ready at {base} (Ctrl-C stops it); its store is at {store}. Try:

curl -s {base}/api/v1/skills/pix -H 'X-API-Key: {key}' -H 'Content-Type: application/json' \\
  -d '{{"chave": "pix@exemplo.com.br", "valor": "49.90", "nome_recebedor": "Padaria", "cidade": "São Paulo"}}'

curl -s {base}/api/v1/skills/cnpj/SANDBOX1000170 -H 'X-API-Key: {key}'
"""


def greet() -> None:
    """Say where the service is, and how to try it."""
    key = Settings.from_environment().demo_api_key
    host = "127.0.0.1" if HOST in {"0.0.0.0", "::"} else HOST  # noqa: S104, only compared
    store = os.environ["AWS_ENDPOINT_URL_DYNAMODB"]
    print(BANNER.format(base=f"http://{host}:{PORT}", store=store, key=key), flush=True)


def start_store() -> subprocess.Popen[bytes]:
    """Start the embedded store on a free port and point the environment at it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    # Ctrl-C is for the gateway alone, whose last calls need their store; it ends with the gateway by itself.
    process = subprocess.Popen(  # noqa: S603, our own module
        [sys.executable, "-m", "gateway.store", str(port), "127.0.0.1", str(os.getpid())],
        start_new_session=True,
    )
    os.environ["AWS_ENDPOINT_URL_DYNAMODB"] = f"http://127.0.0.1:{port}"
    # The store shares this machine's processors; the one second that DynamoDB gets may not be enough here.
    os.environ.setdefault("STORE_TIMEOUT_SECONDS", "5")
    deadline = time.monotonic() + STORE_START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return process
    process.kill()
    raise SystemExit("the embedded store did not start")


def check() -> dict[str, str]:
    """Check the settings; return the tables' names by their names in the template.

    Raises SystemExit with one line that names a wrong setting.
    """
    try:
        settings = check_settings()
    except ValueError as wrong:
        raise SystemExit(str(wrong)) from None
    return {"Access": settings.access_table, "Companies": settings.companies_table}


def listen() -> socket.socket:
    """The socket that clients connect to; raises SystemExit with one line where the port is in use."""
    family = socket.AF_INET6 if ":" in HOST else socket.AF_INET
    try:
        return socket.create_server((HOST, PORT), family=family)
    except (OSError, OverflowError) as wrong:
        raise SystemExit(f"cannot listen at HOST={HOST}, PORT={PORT}: {wrong}") from None


def serve(listener: socket.socket, store: subprocess.Popen[bytes] | None) -> None:
    """Serve until a signal; raises SystemExit with one line where the service ends by itself."""
    supervisor = Supervisor(listener, WORKERS, greet)
    if store is not None:

        def end_with_store() -> None:
            store.wait()
            supervisor.should_exit.set()

        threading.Thread(target=end_with_store, daemon=True).start()
    supervisor.run()
    if store is not None and store.poll() is not None:
        raise SystemExit("the embedded store has ended, and the gateway with it")
    if not supervisor.has_started:
        raise SystemExit("the gateway did not start")


def main() -> None:
    """Start a store unless one is given, create the tables, serve."""
    sys.path.insert(0, str(Path(__file__).parent.parent))
    os.environ.setdefault("POWERTOOLS_LOG_LEVEL", "WARNING")
    embedded = not os.environ.get("AWS_ENDPOINT_URL_DYNAMODB")
    names = check()
    listener = listen()
    store = start_store() if embedded else None
    set_local_aws_defaults()
    try:
        if embedded or os.environ.get("CREATE_TABLES") == "1":
            tables = {names[table]: properties for table, properties in load().tables.items()}
            create_tables(tables)
        serve(listener, store)
    except StoreUnavailable as failure:
        raise SystemExit(f"the store's tables cannot be made: {failure}") from None
    finally:
        if store is not None:
            store.kill()
            store.wait()


if __name__ == "__main__":
    main()
