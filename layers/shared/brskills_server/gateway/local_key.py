"""The key of an account without limit, for the owner of a gateway on loopback."""

import os
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import NamedTuple

from brskills_server.accounts.errors import InvalidKey
from brskills_server.runtime.services import Services

_PLAN = "enterprise"  # no monthly limit, every skill


class LocalKey(NamedTuple):
    """An active key, and the file that keeps it from run to run."""

    key: str
    file: Path


def local_key(services: Services, host: str) -> LocalKey | None:
    """Return the key of a file beside the SQLite store; open an account if the file has no active key.

    Return ``None`` for another store, or where callers may be on other machines. Raise ``StoreUnavailable``
    or ``OSError``.
    """
    file = _file_of(services)
    if file is None or _is_reached_from_elsewhere(services, host):
        return None
    with suppress(FileNotFoundError, InvalidKey):
        key = file.read_text("ascii", errors="replace").strip()
        services.accounts.identify(key)
        return LocalKey(key, file)
    key = services.accounts.open(_PLAN).api_key
    _write_private(file, f"{key}\n")
    return LocalKey(key, file)


def end_local_key(services: Services, host: str) -> None:
    """Revoke the key of an earlier run where callers may be on other machines. Raise as :func:`local_key`."""
    file = _file_of(services)
    if file is None or not _is_reached_from_elsewhere(services, host):
        return
    with suppress(FileNotFoundError, InvalidKey):
        caller, _ = services.accounts.identify(file.read_text("ascii", errors="replace").strip())
        services.accounts.revoke(caller)
    file.unlink(missing_ok=True)


def _file_of(services: Services) -> Path | None:
    scheme, _, path = services.settings.store.partition(":///")
    return Path(f"{path}.local-key") if scheme == "sqlite" else None


def _is_reached_from_elsewhere(services: Services, host: str) -> bool:
    """Return whether ``host`` is not a loopback address, or proxies are trusted."""
    return bool(services.settings.trusted_proxies) or not _is_loopback(host)


def _is_loopback(host: str) -> bool:
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return host == "localhost"


def _write_private(file: Path, text: str) -> None:
    """Replace a file in one step by one that only its owner can read."""
    new = file.with_name(f"{file.name}.{os.getpid()}")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as written:
        written.write(text)
    new.replace(file)
