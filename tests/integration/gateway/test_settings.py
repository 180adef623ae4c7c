"""Gateways and the operator's tools with settings of their own, in files and invalid ones."""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from brskills_server.admin.__main__ import main as admin_main
from brskills_server.gateway.__main__ import main as gateway_main
from brskills_server.runtime.setting_types import STORE_FORMS
from brskills_server.runtime.settings import VERSION
from tests.integration.adapters.sql.databases import open_at
from tests.services.gateway import ROOT, free_port, gateway, start, wait_until_ready
from tests.services.gateway_thread import gateway_thread
from tests.services.tables import new_client

from .service import CHARGE, DEMO, PIX, TIMEOUT

OPEN_KEY = {"X-API-Key": "minha-chave-aberta"}


def run(module: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    given = {"PATH": os.environ["PATH"], "PYTHONPATH": "layers/shared", "PORT": str(free_port())}
    return subprocess.run(
        [sys.executable, "-m", f"brskills_server.{module}", *arguments],
        cwd=ROOT,
        env=given | environment,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
    )


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Of starts in this process, which change it: nothing but what tests set, restored afterwards."""
    before, handlers = dict(os.environ), logging.root.handlers[:]
    os.environ.clear()
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    yield monkeypatch
    os.environ.clear()
    os.environ.update(before)
    logging.root.handlers[:] = handlers


def ending(environment: pytest.MonkeyPatch, *arguments: str, **settings: str) -> str:
    """The line with which a gateway of such settings alone ends in this process, or its exit code."""
    os.environ.clear()
    os.environ.update({"PORT": str(free_port()), **settings})
    environment.setattr(sys, "argv", ["gateway", *arguments])
    try:
        gateway_main()
    except SystemExit as end:
        return str(end.code)
    return "0"


def command(*arguments: str, **settings: str) -> int:
    """The exit code of a command of the operator's in this process."""
    os.environ.clear()
    os.environ.update(settings)
    return admin_main(arguments)


@pytest.fixture(scope="module")
def limited() -> Iterator[httpx.Client]:
    settings = {
        "SIGNUPS_PER_DAY": "2",
        "DEMO_API_KEY": OPEN_KEY["X-API-Key"],
        "DEMO_MONTHLY_LIMIT": "2",
        "TRUSTED_PROXIES": "127.0.0.0/8",
    }
    with gateway_thread(**settings) as base, httpx.Client(base_url=base, timeout=TIMEOUT) as http:
        yield http


def from_address(address: str) -> dict[str, str]:
    return {"X-Forwarded-For": address}


def test_signups_are_limited_by_address(limited: httpx.Client) -> None:
    here, there = from_address("2001:db8::1"), from_address("2001:db8:0:1::1")
    assert [limited.post("/api/v1/keys", headers=here).status_code for _ in range(2)] == [201, 201]
    answer = limited.post("/api/v1/keys", headers=from_address("2001:db8::ffff"))  # the same /64
    assert (answer.status_code, answer.json()["code"]) == (429, "signup_limit")
    assert 0 < int(answer.headers["retry-after"]) <= 86_400
    assert limited.post("/api/v1/keys", headers=there).status_code == 201


def test_the_demo_key_is_limited_by_address_and_replaces_the_published_one(limited: httpx.Client) -> None:
    here, there = ({**OPEN_KEY, **from_address(address)} for address in ("2001:db8::1", "2001:db8:0:1::1"))
    statuses = [limited.post(PIX, json=CHARGE, headers=here).status_code for _ in range(3)]
    assert statuses == [200, 200, 429]
    assert limited.post(PIX, json=CHARGE, headers=there).status_code == 200
    assert limited.get("/api/v1/usage", headers=here).json()["restantes"] == 0
    demo = next(plan for plan in limited.get("/api/v1/plans").json()["planos"] if plan["id"] == "demo")
    assert demo["limite_mensal"] == 2
    assert limited.post(PIX, json=CHARGE, headers=DEMO).status_code == 401


def test_tables_may_have_other_names(dynamodb_endpoint: str) -> None:
    names = {
        "ACCESS_TABLE": f"Chaves-{uuid4()}",
        "WATCHES_TABLE": f"Monitoradas-{uuid4()}",
        "COMPANIES_TABLE": f"Empresas-{uuid4()}",
    }
    address = {"AWS_ENDPOINT_URL_DYNAMODB": dynamodb_endpoint, "CREATE_TABLES": "1"}
    with gateway_thread(**names, STORE="dynamodb", **address) as base:
        assert httpx.post(f"{base}/api/v1/keys").status_code == 201
        assert httpx.get(f"{base}/api/v1/status").json()["status"] == "operational"
    client = new_client(dynamodb_endpoint)
    counts = [client.scan(TableName=name, Select="COUNT")["Count"] for name in names.values()]
    assert counts[0] > 0


def test_a_store_out_of_reach_is_a_503_and_makes_no_key_invalid(tmp_path: Path) -> None:
    output = tmp_path / "output.txt"
    key = {"X-API-Key": "brsk_KKEKaYx8FiYx8hpF4Pz0PWWnkAA1lR1x2Pva9A"}
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        endpoint = f"http://127.0.0.1:{unused.getsockname()[1]}"
        with (
            gateway(output, AWS_ENDPOINT_URL_DYNAMODB=endpoint, WORKERS="1") as base,
            httpx.Client(base_url=base, timeout=TIMEOUT) as http,
        ):
            for answer in (
                http.post("/api/v1/keys"),
                http.post(PIX, json=CHARGE, headers=DEMO),
                http.get("/api/v1/usage", headers=key),
            ):
                assert (answer.status_code, answer.json()["code"]) == (503, "store_unavailable")
                assert int(answer.headers["retry-after"]) >= 1
            status = http.get("/api/v1/status")
            assert (status.status_code, status.json()["status"]) == (200, "down")
            assert http.get("/api/v1/plans").status_code == 200
    assert " StoreUnavailable at " in output.read_text()  # the authorizer's failure leaves a trace


def test_the_gateway_and_the_operators_tools_read_the_same_file(tmp_path: Path) -> None:
    port, output, target = free_port(), tmp_path / "output.txt", f"sqlite:///{tmp_path}/kept/brskills.db"
    (tmp_path / "store").write_text(f"{target}\n")
    (tmp_path / "demo").write_text("minha-chave-aberta\n")
    file = tmp_path / "brskills.conf"
    lines = ("# ours", f"PORT={port}", "WORKERS=1", f"STORE=file:{tmp_path}/store")
    file.write_text("\n".join([*lines, f"DEMO_API_KEY=file:{tmp_path}/demo"]))
    # The environment overrides the file; an empty variable does not.
    process = start(port, output, CONFIG_FILE=str(file), STORE="", WORKERS="2", DEMO_MONTHLY_LIMIT="1")
    base = f"http://127.0.0.1:{port}"
    try:
        wait_until_ready(f"{base}/livez", process)
        statuses = [httpx.post(f"{base}{PIX}", json=CHARGE, headers=OPEN_KEY).status_code for _ in range(2)]
        assert statuses == [200, 429]
        httpx.post(f"{base}/api/v1/keys", json={"email": "dona@exemplo.com.br"}).raise_for_status()
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(TIMEOUT)
    listed = run("admin", "list", CONFIG_FILE=str(file))
    assert (listed.returncode, "dona@exemplo.com.br" in listed.stdout) == (0, True), listed.stderr

    source = f"sqlite:///{tmp_path}/source.db"
    open_at(source).open_maintenance().prepare()
    (tmp_path / "store").write_text(f"sqlite:///{tmp_path}/empty.db\n")
    assert run("admin", "open", "pro", STORE=source).returncode == 0
    moved = run("admin", "move", source, CONFIG_FILE=str(file))
    assert (moved.returncode, "empty.db" in moved.stdout) == (0, True), moved.stderr
    assert len(list(open_at(f"sqlite:///{tmp_path}/empty.db").access.list_accounts())) == 1


def test_every_invalid_setting_is_reported_at_once(tmp_path: Path) -> None:
    file = tmp_path / "brskills.conf"
    file.write_text("PORTO=1\nWORKERS=two\nDEMO_MONTHLY_LIMIT=many\nhunter2\n")
    environment = {"CONFIG_FILE": str(file), "STORE": "hunter2", "STRIPE_API_KEY": "file:/nowhere"}
    started, tool = run("gateway", **environment), run("admin", "list", **environment)
    assert (started.returncode, tool.returncode) == (1, 2)
    issues = [
        "CONFIG_FILE: line 1: there is no setting PORTO; is it PORT?",
        "CONFIG_FILE: line 4 is not NAME=VALUE",
        "STRIPE_API_KEY names a file that cannot be read: No such file or directory",
        "WORKERS must be a whole number, not 'two'",
        f"STORE {STORE_FORMS}; it names no store of this installation",
        "DEMO_MONTHLY_LIMIT must be a whole number, not 'many'",
    ]
    assert started.stderr.splitlines() == issues
    assert tool.stderr.splitlines() == [line for line in issues if not line.startswith("WORKERS")]


@pytest.mark.parametrize(
    ("settings", "reported"),
    [
        ({"STRIPE_PRICE_PRO": "price_1", "STORE": "memory"}, "Stripe"),
        ({"STORE": "sqlite:////proc/no/such.db"}, "/proc/no/such.db"),
        ({"STORE": "memory", "HOST": "no.such.host.invalid"}, "HOST"),
        ({"AWS_ENDPOINT_URL_DYNAMODB": "http://127.0.0.1:9", "CREATE_TABLES": "1"}, "tables cannot be made"),
    ],
)
def test_what_prevents_a_start_is_reported_in_one_line(
    environment: pytest.MonkeyPatch, settings: dict[str, str], reported: str
) -> None:
    line = ending(environment, **settings)
    assert reported in line
    assert "\n" not in line


def test_a_taken_port_is_reported_in_one_line(environment: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        taken_port = ending(environment, PORT=port, STORE="memory")
        metrics = ending(environment, METRICS_PORT=port, STORE="memory")
    assert f"cannot listen at HOST=127.0.0.1, PORT={port}" in taken_port
    assert metrics.startswith(f"METRICS_PORT: cannot serve metrics at 127.0.0.1:{port}: ")


def test_an_unknown_aws_profile_is_reported_in_one_line(environment, capsys) -> None:
    settings = {"STORE": "dynamodb", "AWS_PROFILE": "nobody", "AWS_CONFIG_FILE": os.devnull}
    for address in ({}, {"AWS_ENDPOINT_URL_DYNAMODB": "http://127.0.0.1:9"}):
        assert "AWS is not configured: The config profile (nobody)" in ending(
            environment, **settings, **address
        )
        assert command("list", **settings, **address) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith("AWS is not configured: The config profile (nobody)")


def test_the_operators_tools_refuse_a_store_in_memory(environment, tmp_path, capsys) -> None:
    file = f"sqlite:///{tmp_path}/brskills.db"
    open_at(file).open_maintenance().prepare()
    for arguments in (("list",), ("move", "memory", file)):
        assert command(*arguments, STORE="memory") == 2
        printed = capsys.readouterr()
        (line,) = printed.err.splitlines()
        assert ("memory" in line, printed.out) == (True, "")


def test_arguments_do_not_start_a_server(environment, tmp_path, capsys) -> None:
    assert ending(environment, "--version") == ending(environment, "--help") == "0"
    printed = capsys.readouterr().out
    assert VERSION in printed
    assert "--check" in printed
    assert ending(environment, "start") == "2"
    assert ending(environment, "--check", STORE="sqlite:////proc/no/such.db") == "0"
    invalid = ending(environment, "--check", PORT="abc", LOG_FORMAT="xml", STORE="memory")
    assert len(invalid.splitlines()) == 2
