"""Services outside of AWS, for the gateway and the operator's tools."""

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from brskills_server.adapters.maintenance import KeptAccount
from brskills_server.runtime.configuration import load_configuration
from brskills_server.runtime.services import Services
from brskills_server.runtime.settings import Settings
from brskills_server.runtime.settings_reader import Reader
from brskills_server.runtime.settings_table import CREATE_TABLES, DYNAMODB_ADDRESS
from brskills_server.runtime.snapshot import open_snapshot
from brskills_server.runtime.transfer import account_in, move, restore

__all__ = [
    "bring_account_back",
    "configured_store",
    "move_store",
    "open_local_services",
    "prepare_store",
    "read_account",
    "read_settings",
    "set_local_defaults",
    "shown_store",
]

_DEFAULT_STORE = "sqlite:///data/brskills.db"
_DEFAULT_SNAPSHOT = "data/receita"
_STORE_SECONDS = "5"  # more than for DynamoDB: the store may share this machine's processors


def set_local_defaults() -> None:
    """Set store and snapshot in the environment where they are not set, for child processes too."""
    if not os.environ.get("STORE"):
        os.environ["STORE"] = "dynamodb" if os.environ.get("AWS_ENDPOINT_URL_DYNAMODB") else _DEFAULT_STORE
    if os.environ["STORE"] != "dynamodb":
        os.environ.setdefault("STORE_TIMEOUT_SECONDS", _STORE_SECONDS)
    if not os.environ.get("REGISTRY_COPY", "").strip():
        os.environ["REGISTRY_COPY"] = _DEFAULT_SNAPSHOT


def read_settings(reader: Reader) -> Settings:
    """Read the settings; the reader collects the issues, including those of the store and of Stripe."""
    reader.read(DYNAMODB_ADDRESS)  # botocore reads it, and accepts nearly anything
    reader.read(CREATE_TABLES)
    settings = Settings.read(reader)
    reader.check(lambda: settings.stripe)
    if settings.store != "dynamodb":
        reader.check(lambda: Services(settings).store)
        reader.check(lambda: open_snapshot(settings))
    return settings


def prepare_store(tables: Mapping[str, dict[str, Any]]) -> Services:
    """Services over a store in which what was missing is made; DynamoDB's tables only by ``CREATE_TABLES=1``.

    ``tables``: their CloudFormation properties by name. Raises ``StoreUnavailable``, or ``ValueError`` where
    there cannot be such a store.
    """
    settings = Settings.from_environment()
    if settings.store == "dynamodb":
        from brskills_server.adapters.dynamodb import local

        local.set_local_aws_defaults()
        if os.environ.get("CREATE_TABLES") == "1":
            names = {"Access": settings.access_table, "Companies": settings.companies_table}
            local.create_tables({names[table]: properties for table, properties in tables.items()})
    services = Services(settings)
    services.maintenance.prepare()
    return services


def open_local_services(store_seconds: int) -> Services:
    """Services over a store that is there, which may take longer than a caller would wait.

    Settings are read from files, too. Raises ``ValueError`` where they name none, and ``StoreUnavailable``.
    """
    store = configured_store()
    _refuse_memory(store)
    _refuse_missing_file(store)
    services = _services_at(store, store_seconds)
    services.maintenance.prepare()
    return services


def move_store(source: str, target: str, store_seconds: int) -> Mapping[str, int]:
    """Copy everything from one store to another, both as ``STORE`` names them; returns counts by kind.

    To be called after ``configured_store``. Raises ``ValueError`` where one cannot be, ``NotEmpty`` where
    the target holds something, and ``StoreUnavailable``.
    """
    for store in (source, target):
        _refuse_memory(store)
    _refuse_missing_file(source)
    opened = [_services_at(store, store_seconds).maintenance for store in (source, target)]
    for maintenance in opened:
        maintenance.prepare()
    return move(*opened)


def read_account(account: str, store_seconds: int) -> KeptAccount:
    """All that the configured store has of an account, or ``KeyError``; else as ``open_local_services``."""
    return account_in(open_local_services(store_seconds).maintenance, account)


def bring_account_back(source: str, account: str, store_seconds: int) -> KeptAccount:
    """An account of another store, such as a backup, put into the configured one; returns it as it is there.

    Raises ``KeyError`` where the source has none, ``NotEmpty`` where it is there already, and as
    ``open_local_services``.
    """
    target = open_local_services(store_seconds).maintenance
    _refuse_memory(source)
    _refuse_missing_file(source)
    backup = _services_at(source, store_seconds).maintenance
    backup.prepare()
    return restore(backup, target, account)


def configured_store() -> str:
    """The store that settings name, which are read from files, too; raises ``InvalidSettings``."""
    reader = Reader(os.environ)
    load_configuration(reader)
    set_local_defaults()
    settings = read_settings(reader)
    reader.finish()
    return settings.store


def _services_at(store: str, store_seconds: int) -> Services:
    if store == "dynamodb":
        from brskills_server.adapters.dynamodb import local

        local.set_local_aws_defaults()
    settings = Settings.from_environment({**os.environ, "STORE": store})
    return Services(replace(settings, store_seconds=store_seconds))


def _refuse_memory(store: str) -> None:
    if store == "memory":
        raise ValueError("STORE: memory is a gateway's own and ends with it; nothing else reaches it")


def _refuse_missing_file(store: str) -> None:
    scheme, _, path = store.partition(":///")
    if scheme == "sqlite" and not Path(path).exists():
        raise ValueError(
            f"STORE: there is no {path} yet; the server makes it when it starts"
            " (for the tables in AWS: STORE=dynamodb)"
        )


def shown_store(store: str) -> str:
    """A store's address as people may see it, without a password.

    >>> shown_store("sqlite:///data/who?.db")
    'sqlite:///data/who?.db'
    """
    match store.partition(":")[0]:
        case "dynamodb":
            return os.environ.get("AWS_ENDPOINT_URL_DYNAMODB", store)
        case "postgresql":
            from brskills_server.adapters.postgresql import shown_address

            return shown_address(store)
        case "sqlite" | "memory":
            return store
        case name:
            return name
