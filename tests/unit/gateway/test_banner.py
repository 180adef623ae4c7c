"""The banner of a gateway that is ready."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from brskills_server.gateway.banner import greet, snapshot_day
from brskills_server.runtime.gateway_settings import GatewaySettings
from brskills_server.runtime.settings import Settings
from brskills_server.runtime.settings_reader import Reader
from tests.register.copy_file import write_copy

SETTINGS = GatewaySettings.read(Reader({"PORT": "9000"}))


@pytest.mark.parametrize(
    ("host", "base"),
    [
        ("0.0.0.0", "http://127.0.0.1:9000"),
        ("::1", "http://[::1]:9000"),
        ("::", "http://127.0.0.1:9000"),
        ("brskills.example", "http://brskills.example:9000"),
    ],
)
def test_the_address_can_be_asked_as_it_is_printed(host: str, base: str, capsys) -> None:
    greet(replace(SETTINGS, host=host), "key", "store", None)
    printed = capsys.readouterr().out
    assert printed.count(f"{base}/api/v1/skills/") == 2
    assert f"ready (Ctrl-C stops it): {base} is its page, {base}/mcp is for agents.\n" in printed


@pytest.mark.parametrize(
    ("store", "place"),
    [
        ("sqlite:///data/a.db", "in data/a.db, kept from run to run (to empty it, stop and: rm data/a.db*)"),
        ("sqlite:////var/a.db", "in /var/a.db, kept from run to run (to empty it, stop and: rm /var/a.db*)"),
        ("memory", "in memory, and gone when it stops"),
        ("postgresql://db.example/keys", "at postgresql://db.example/keys"),
        ("http://127.0.0.1:4566", "at http://127.0.0.1:4566"),
    ],
)
def test_people_are_told_where_their_data_are_and_how_to_be_rid_of_them(
    store: str, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    greet(SETTINGS, "key", store, None)
    assert f"Keys and counters are {place}. There is no copy" in capsys.readouterr().out


def test_without_a_demo_key_none_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    greet(SETTINGS, None, "store", None)
    printed = capsys.readouterr().out
    assert "Try, with a key of yours:" in printed
    assert printed.count("-H 'X-API-Key: YOUR_KEY'") == 2


def test_the_local_key_is_shown_with_its_file(capsys: pytest.CaptureFixture[str]) -> None:
    greet(SETTINGS, "key", "sqlite:///data/a.db", None, Path("data/a.db.local-key"))
    printed = capsys.readouterr().out
    assert "without limit; data/a.db.local-key keeps it" in printed
    greet(
        replace(SETTINGS, log_format="json"),
        "secret",
        "sqlite:///data/a.db",
        None,
        Path("data/a.db.local-key"),
    )
    printed, logged = capsys.readouterr()
    assert "secret" not in printed + logged


def test_the_day_of_our_own_copy_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    greet(SETTINGS, "key", "store", "2026-09-12")
    assert "There is a copy of the register of 2026-09-12. Try:" in capsys.readouterr().out


def test_a_copy_of_another_format_is_reported(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    services: Any = SimpleNamespace(settings=Settings.from_environment({"REGISTRY_COPY": str(tmp_path)}))
    file = write_copy(tmp_path, [], date(2026, 9, 12))
    assert snapshot_day(services) == "2026-09-12"
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("UPDATE edition SET value = '1' WHERE name = 'format'")
    with caplog.at_level("INFO", "gateway"):
        assert snapshot_day(services) is None
    assert "build a month with it" in caplog.records[0].facts["reason"]
