"""What the gateway says when it is ready: where it is, where its data are, and to people how to try it."""

from __future__ import annotations

from shlex import quote

from brskills_server.gateway.log import report
from brskills_server.registry.store import StoreFault
from brskills_server.runtime.gateway_settings import GatewaySettings
from brskills_server.runtime.services import Services

__all__ = ["copy_day", "greet"]

BANNER = """
brskills is ready (Ctrl-C stops it): {base} is its page, {base}/mcp is for agents.
Keys and counters are {place}. There is {copy}. Try{how}:

curl -s {base}/api/v1/skills/pix -H 'X-API-Key: {key}' -H 'Content-Type: application/json' \\
  -d '{{"chave": "pix@exemplo.com.br", "valor": "49.90", "nome_recebedor": "Padaria", "cidade": "São Paulo"}}'

curl -s {base}/api/v1/skills/cnpj/SANDBOX1000170 -H 'X-API-Key: {key}'
"""


def greet(settings: GatewaySettings, key: str | None, store: str, copy: str | None) -> None:
    """Say where the service is, and to people how to try it.

    ``key``: the demo key, if there is one. ``store``: as people may see it. ``copy``: the day of the data in
    our own copy of the register, if there is one.
    """
    host = "127.0.0.1" if settings.host in {"0.0.0.0", "::"} else settings.host  # noqa: S104, only compared
    base = f"http://[{host}]:{settings.port}" if ":" in host else f"http://{host}:{settings.port}"
    if settings.log_format == "json":
        report("ready", address=base, store=store, copy=copy or "none", workers=settings.workers)
    else:
        told = f"a copy of the register of {copy}" if copy else "no copy of the register"
        key, how = (key, "") if key else ("YOUR_KEY", ", with a key of yours")
        print(BANNER.format(base=base, place=_place(store), key=key, copy=told, how=how), flush=True)


def _place(store: str) -> str:
    """Where a store keeps what it is given, and how to be rid of it.

    >>> _place("sqlite:///data/my keys.db")
    "in data/my keys.db, kept from run to run (to empty it, stop and: rm 'data/my keys.db'*)"
    """
    kind, _, path = store.partition(":///")
    if kind == "memory":
        return "in memory, and gone when it stops"
    if kind == "sqlite":
        return f"in {path}, kept from run to run (to empty it, stop and: rm {quote(path)}*)"
    return f"at {store}"


def copy_day(services: Services) -> str | None:
    """The day of the data in our own copy of the register, if there is one that can be read."""
    try:
        edition = services.register_snapshot.edition() if services.register_snapshot else None
    except StoreFault:
        return None
    return edition.day.isoformat() if edition else None
