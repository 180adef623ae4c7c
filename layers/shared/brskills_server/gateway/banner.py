"""What the gateway prints when it is ready: its address, its store, and a request to try."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

from brskills_server.gateway.log import report
from brskills_server.registry.store import StoreFault
from brskills_server.runtime.gateway_settings import GatewaySettings
from brskills_server.runtime.services import Services
from brskills_server.runtime.snapshot import open_snapshot

BANNER = """
brskills is ready (Ctrl-C stops it): {base} is its page, {base}/mcp is for agents.
Keys and counters are {place}. There is {snapshot}.{local} Try{how}:

curl -s {base}/api/v1/skills/pix -H 'X-API-Key: {key}' -H 'Content-Type: application/json' \\
  -d '{{"chave": "pix@exemplo.com.br", "valor": "49.90", "nome_recebedor": "Padaria", "cidade": "São Paulo"}}'

curl -s {base}/api/v1/skills/cnpj/SANDBOX1000170 -H 'X-API-Key: {key}'
"""


LOCAL = """
The key below is your own, for this machine and without limit; {file} keeps it, readable by you alone."""


def greet(
    settings: GatewaySettings, key: str | None, store: str, snapshot: str | None, key_file: Path | None = None
) -> None:
    """Print the banner, or log one line without a key for ``LOG_FORMAT=json``.

    ``snapshot``: the day of its data. ``key_file``: where the key is kept, if it is the local key.
    """
    host = "127.0.0.1" if settings.host in {"0.0.0.0", "::"} else settings.host  # noqa: S104, only compared
    base = f"http://[{host}]:{settings.port}" if ":" in host else f"http://{host}:{settings.port}"
    if settings.log_format == "json":
        report("ready", address=base, store=store, copy=snapshot or "none", workers=settings.workers)
        return
    text = BANNER.format(
        base=base,
        place=_place(store),
        key=key or "YOUR_KEY",
        snapshot=f"a copy of the register of {snapshot}" if snapshot else "no copy of the register",
        local=LOCAL.format(file=key_file) if key_file else "",
        how="" if key else ", with a key of yours",
    )
    print(text, flush=True)


def _place(store: str) -> str:
    """Return where a store keeps its data, and how to delete them.

    >>> _place("sqlite:///data/my keys.db")
    "in data/my keys.db, kept from run to run (to empty it, stop and: rm 'data/my keys.db'*)"
    """
    kind, _, path = store.partition(":///")
    if kind == "memory":
        return "in memory, and gone when it stops"
    if kind == "sqlite":
        return f"in {path}, kept from run to run (to empty it, stop and: rm {quote(path)}*)"
    return f"at {store}"


def snapshot_day(services: Services) -> str | None:
    """Return the day of the register snapshot's data; log why, and return ``None``, if it cannot be read."""
    try:
        edition = snapshot.edition() if (snapshot := open_snapshot(services.settings)) else None
    except StoreFault as fault:
        report("the register snapshot cannot be read", reason=str(fault))
        return None
    return edition.day.isoformat() if edition else None
