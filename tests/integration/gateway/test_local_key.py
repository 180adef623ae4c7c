"""The local key of ``make run``: shown at each start, kept privately, and without limit."""

from __future__ import annotations

import re
import signal
import stat
import subprocess
from pathlib import Path

import httpx
import pytest

from brskills_server.accounts.errors import InvalidKey
from brskills_server.gateway.local_key import end_local_key, local_key
from brskills_server.runtime.local import prepare_store
from brskills_server.runtime.services import Services
from tests.services.gateway import ROOT, eventually, free_port, running, start

from .service import CHARGE, PIX


@pytest.fixture
def services(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Services:
    monkeypatch.setenv("STORE", f"sqlite:///{tmp_path}/own.db")
    return prepare_store({})


def shown_key(output: Path) -> str:
    """Return the one key of a banner, once it is printed."""
    eventually(lambda: "is ready" in output.read_text())
    (key,) = set(re.findall("brsk_[0-9A-Za-z]{30,}", output.read_text()))
    return key


@pytest.mark.thorough
def test_two_starts_show_one_key_that_every_worker_serves_without_limit(tmp_path: Path) -> None:
    shown = set()
    for turn in range(2):
        output, port = tmp_path / f"output{turn}", free_port()
        store = f"sqlite:///{tmp_path}/own.db"
        process = start(port, output, arguments=["--local-key"], STORE=store, DEMO_MONTHLY_LIMIT="1")
        with (
            running(process, f"http://127.0.0.1:{port}/api/v1/health", output, signal.SIGINT) as base,
            httpx.Client(base_url=base) as http,
        ):
            key = shown_key(output)
            http.headers["X-API-Key"] = key
            assert [http.post(PIX, json=CHARGE).status_code for _ in range(6)] == [200] * 6
            assert http.get("/api/v1/usage").json()["limite"] is None
        assert output.read_text().count(key) == 2  # the banner's requests, and no log line
        shown.add(key)
    assert len(shown) == 1


def test_the_file_is_private_and_replaced_where_its_key_has_ended(services: Services, tmp_path: Path) -> None:
    file = tmp_path / "own.db.local-key"
    first = local_key(services, "127.0.0.1")
    assert first is not None
    assert first.file == file
    assert (file.read_text(), stat.S_IMODE(file.stat().st_mode)) == (f"{first.key}\n", 0o600)
    assert local_key(services, "::1") == first
    services.accounts.revoke(services.accounts.identify(first.key)[0])
    second = local_key(services, "localhost")
    assert second is not None
    with pytest.raises(InvalidKey):
        services.accounts.identify(first.key)
    assert services.accounts.identify(second.key)[1] is not None
    assert (file.read_text(), [*tmp_path.glob("*local-key*")]) == (f"{second.key}\n", [file])


@pytest.mark.parametrize(
    ("host", "environment"),
    [
        ("0.0.0.0", {}),
        ("192.0.2.7", {}),
        ("brskills.example", {}),
        ("127.0.0.1", {"TRUSTED_PROXIES": "127.0.0.1"}),
        ("127.0.0.1", {"STORE": "memory"}),
    ],
)
def test_others_than_an_owner_on_loopback_get_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str, environment: dict[str, str]
) -> None:
    for name, value in {"STORE": f"sqlite:///{tmp_path}/own.db", **environment}.items():
        monkeypatch.setenv(name, value)
    services = prepare_store({})
    assert local_key(services, host) is None
    assert [*services.accounts.all()] == []
    assert not [*tmp_path.glob("*local-key*")]


def test_make_run_asks_for_it() -> None:
    recipe = subprocess.run(
        ["make", "--no-print-directory", "--dry-run", "run"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert recipe.rstrip().endswith("-m brskills_server.gateway --local-key")


@pytest.mark.parametrize(("host", "proxies"), [("0.0.0.0", ""), ("127.0.0.1", "127.0.0.1")])
def test_the_key_ends_where_callers_may_be_elsewhere(
    services: Services, monkeypatch: pytest.MonkeyPatch, host: str, proxies: str
) -> None:
    found = local_key(services, "127.0.0.1")
    assert found is not None
    end_local_key(services, "127.0.0.1")
    services.accounts.identify(found.key)
    monkeypatch.setenv("TRUSTED_PROXIES", proxies)
    exposed = prepare_store({})
    for _ in range(2):  # nothing is left to end the second time
        end_local_key(exposed, host)
    with pytest.raises(InvalidKey):
        services.accounts.identify(found.key)
    assert not found.file.exists()
    assert local_key(exposed, host) is None
