"""Services outside of AWS, for the gateway and the operator's tools."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from brskills_server.adapters.maintenance import StoredAccount
from brskills_server.runtime.configuration import ENV_FILE, load_configuration
from brskills_server.runtime.services import Services
from brskills_server.runtime.settings import VERSION, Settings
from brskills_server.runtime.settings_reader import Reader
from brskills_server.runtime.settings_table import CREATE_TABLES, DYNAMODB_ADDRESS
from brskills_server.runtime.snapshot import open_snapshot
from brskills_server.runtime.transfer import export, find_account, move, restore

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
    """Return services over a store whose missing parts are created; tables only with ``CREATE_TABLES=1``.

    ``tables``: CloudFormation properties by name. Raise ``StoreUnavailable`` or ``ValueError``.
    """
    settings = Settings.from_environment()
    if settings.store == "dynamodb":
        from brskills_server.adapters.dynamodb import local  # loads botocore

        local.set_local_aws_defaults()
        if os.environ.get("CREATE_TABLES") == "1":
            names = {
                "Access": settings.access_table,
                "Watches": settings.watches_table,
                "Companies": settings.companies_table,
            }
            local.create_tables({names[table]: properties for table, properties in tables.items()})
    return _prepared(Services(settings))


def open_local_services(store_seconds: int) -> Services:
    """Return services over the store, which must exist. Raise ``ValueError`` or `StoreUnavailable`."""
    return _open(configured_store(), store_seconds)


def move_store(source: str, target: str, store_seconds: int) -> Mapping[str, int]:
    """Copy everything from one store to another, and return counts by kind. Call `configured_store` before.

    Both are values of ``STORE``. Raise ``ValueError`` for an invalid one, `NotEmpty` or `StoreUnavailable`.
    """
    _check_is_shared(target)
    opened = _open(source, store_seconds), _prepared(_services_at(target, store_seconds))
    return move(*(services.maintenance for services in opened))


def export_store(source: str, store_seconds: int) -> Iterator[str]:
    """Return the lines of `export`. Call `configured_store` before.

    ``source`` is a value of ``STORE``. Raise ``ValueError`` for an invalid one, or `StoreUnavailable`.
    """
    return export(_open(source, store_seconds).maintenance, VERSION)


def read_account(account: str, store_seconds: int) -> StoredAccount:
    """Return an account of the configured store. Raise ``KeyError``, or as `open_local_services`."""
    return find_account(open_local_services(store_seconds).maintenance, account)


def restore_account(source: str, account: str, store_seconds: int) -> StoredAccount:
    """Copy an account of another store, such as a backup, to the configured one, and return it.

    Raise ``KeyError`` if the source lacks it, `AccountExists`, or as `open_local_services`.
    """
    target = open_local_services(store_seconds).maintenance
    return restore(_open(source, store_seconds).maintenance, target, account)


def configured_store() -> str:
    """Read the settings, also from files, and return the store's address. Raise `InvalidSettings`."""
    reader = Reader(os.environ)
    load_configuration(reader, ENV_FILE)
    set_local_defaults()
    settings = read_settings(reader)
    reader.finish()
    return settings.store


def redact_store_url(store: str) -> str:
    """Return a store's URL for logs and messages, without a password.

    >>> redact_store_url("sqlite:///data/who?.db")
    'sqlite:///data/who?.db'
    """
    match store.partition(":")[0]:
        case "dynamodb":
            return os.environ.get("AWS_ENDPOINT_URL_DYNAMODB", store)
        case "postgresql":
            from brskills_server.adapters.postgresql import shown_address  # loads psycopg

            return shown_address(store)
        case "sqlite" | "memory":
            return store
        case name:
            return name


def _open(store: str, store_seconds: int) -> Services:
    """Return services over a store that exists."""
    _check_is_shared(store)
    scheme, _, path = store.partition(":///")
    if scheme == "sqlite" and not Path(path).exists():
        raise ValueError(
            f"STORE: {path} does not exist; the server creates it when it starts"
            " (for the tables in AWS: STORE=dynamodb)"
        )
    return _prepared(_services_at(store, store_seconds))


def _prepared(services: Services) -> Services:
    services.maintenance.prepare()
    return services


def _services_at(store: str, store_seconds: int) -> Services:
    if store == "dynamodb":
        from brskills_server.adapters.dynamodb import local

        local.set_local_aws_defaults()
    settings = Settings.from_environment({**os.environ, "STORE": store})
    return Services(replace(settings, store_seconds=store_seconds))


def _check_is_shared(store: str) -> None:
    if store == "memory":
        raise ValueError("STORE: memory is private to a gateway's processes")
