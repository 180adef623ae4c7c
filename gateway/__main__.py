"""``make run``: the whole API on this machine until Ctrl-C."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gunicorn.app.base import BaseApplication

from gateway.template import load
from wiring.local import check_settings, create_tables, set_local_aws_defaults
from wiring.settings import Settings

if TYPE_CHECKING:
    from gunicorn.arbiter import Arbiter

HOST = os.environ.get("HOST", "127.0.0.1")
PORT = int(os.environ.get("PORT", "8000"))
WORKERS = int(os.environ.get("WORKERS", "0")) or min(8, 2 * (os.cpu_count() or 1) + 1)
WORKER_SECONDS = 30
STORE_START_SECONDS = 20

BANNER = """
brskills is ready at {base} (Ctrl-C stops it); its store is at {store}. Try:

curl -s {base}/api/v1/skills/pix -H 'X-API-Key: {key}' -H 'Content-Type: application/json' \\
  -d '{{"chave": "pix@exemplo.com.br", "valor": "49.90", "nome_recebedor": "Padaria", "cidade": "São Paulo"}}'

curl -s {base}/api/v1/skills/cnpj/SANDBOX1000170 -H 'X-API-Key: {key}'
"""


class Server(BaseApplication):
    """gunicorn with sync workers: each handles one event at a time, as a Lambda environment does."""

    def load_config(self) -> None:
        """Set gunicorn's options; no file or argument of its own is read."""
        self.cfg.set("bind", f"{HOST}:{PORT}")
        self.cfg.set("workers", WORKERS)
        self.cfg.set("worker_class", "sync")
        self.cfg.set("timeout", WORKER_SECONDS)
        self.cfg.set("limit_request_line", 8190)  # what API Gateway takes, or nearly
        self.cfg.set("loglevel", "warning")
        self.cfg.set("control_socket_disable", True)
        self.cfg.set("when_ready", self._greet)

    def load(self) -> Callable[..., Any]:
        """Make one worker's application; called after the fork."""
        from gateway.application import application

        return application()

    @staticmethod
    def _greet(_arbiter: Arbiter) -> None:
        key = Settings.from_environment().demo_api_key
        host = "127.0.0.1" if HOST in {"0.0.0.0", "::"} else HOST  # noqa: S104, only compared
        store = os.environ["AWS_ENDPOINT_URL_DYNAMODB"]
        print(BANNER.format(base=f"http://{host}:{PORT}", store=store, key=key), flush=True)


def start_store() -> subprocess.Popen[bytes]:
    """Start the embedded store on a free port and point the environment at it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([sys.executable, "-m", "gateway.store", str(port)])  # noqa: S603, our own module
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
    process.terminate()
    raise SystemExit("the embedded store did not start")


def check() -> dict[str, str]:
    """Check settings and port; return the tables' names by their names in the template.

    Raises SystemExit with one line that names a wrong setting or a port in use.
    """
    try:
        settings = check_settings()
        family = socket.AF_INET6 if ":" in HOST else socket.AF_INET
        with socket.create_server((HOST, PORT), family=family):
            pass
    except ValueError as wrong:
        raise SystemExit(str(wrong)) from None
    except OSError as taken:
        raise SystemExit(f"cannot listen at {HOST}:{PORT} ({taken.strerror}); PORT=… takes another") from None
    return {"Access": settings.access_table, "Companies": settings.companies_table}


def main() -> None:
    """Start a store unless one is given, create the tables, serve."""
    sys.path.insert(0, str(Path(__file__).parent.parent))
    os.environ.setdefault("POWERTOOLS_LOG_LEVEL", "ERROR")
    embedded = not os.environ.get("AWS_ENDPOINT_URL_DYNAMODB")
    names = check()
    store = start_store() if embedded else None
    set_local_aws_defaults()
    try:
        if embedded or os.environ.get("CREATE_TABLES") == "1":
            tables = {names[table]: properties for table, properties in load().tables.items()}
            create_tables(tables)
        Server().run()
    finally:
        if store is not None:
            store.terminate()
            store.wait()


if __name__ == "__main__":
    main()
