"""Gateways with settings of their own, a store that cannot be reached, settings that cannot be."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from brskills_server.runtime.settings import VERSION
from tests.services.gateway import ROOT, free_port, gateway
from tests.services.tables import new_client

from .test_gateway import CHARGE, DEMO, PIX

OPEN_KEY = {"X-API-Key": "minha-chave-aberta"}


@pytest.fixture(scope="module")
def limited() -> Iterator[httpx.Client]:
    """Everything set that ``make run`` leaves as it is, over a store of its own."""
    settings = {
        "SIGNUPS_PER_DAY": "2",
        "DEMO_API_KEY": OPEN_KEY["X-API-Key"],
        "DEMO_MONTHLY_LIMIT": "2",
        "TRUSTED_PROXIES": "127.0.0.0/8",
    }
    with gateway(**settings) as base, httpx.Client(base_url=base, timeout=60) as http:
        yield http


def come_from(address: str) -> dict[str, str]:
    return {"X-Forwarded-For": address}


def test_signups_are_limited_by_address(limited: httpx.Client) -> None:
    here, there = come_from("2001:db8::1"), come_from("2001:db8:0:1::1")
    assert [limited.post("/api/v1/keys", headers=here).status_code for _ in range(2)] == [201, 201]
    refused = limited.post("/api/v1/keys", headers=come_from("2001:db8::ffff"))  # the same /64
    assert (refused.status_code, refused.json()["code"]) == (429, "signup_limit")
    assert 0 < int(refused.headers["retry-after"]) <= 86_400
    assert limited.post("/api/v1/keys", headers=there).status_code == 201


def test_the_demo_key_is_limited_by_address(limited: httpx.Client) -> None:
    here, there = ({**OPEN_KEY, **come_from(address)} for address in ("2001:db8::1", "2001:db8:0:1::1"))
    statuses = [limited.post(PIX, json=CHARGE, headers=here).status_code for _ in range(3)]
    assert statuses == [200, 200, 429]
    assert limited.post(PIX, json=CHARGE, headers=there).status_code == 200
    assert limited.get("/api/v1/usage", headers=here).json()["restantes"] == 0
    demo = next(plan for plan in limited.get("/api/v1/plans").json()["planos"] if plan["id"] == "demo")
    assert demo["limite_mensal"] == 2


def test_another_demo_key_takes_the_place_of_the_published_one(limited: httpx.Client) -> None:
    elsewhere = come_from("198.51.100.7")
    assert limited.post(PIX, json=CHARGE, headers={**OPEN_KEY, **elsewhere}).status_code == 200
    assert limited.post(PIX, json=CHARGE, headers={**DEMO, **elsewhere}).status_code == 401


def test_tables_may_have_other_names(dynamodb_endpoint: str) -> None:
    names = {"ACCESS_TABLE": f"Chaves-{uuid4()}", "COMPANIES_TABLE": f"Empresas-{uuid4()}"}
    address = {"AWS_ENDPOINT_URL_DYNAMODB": dynamodb_endpoint, "CREATE_TABLES": "1"}
    with gateway(WORKERS="1", **names, **address) as base:
        assert httpx.post(f"{base}/api/v1/keys").status_code == 201
        assert httpx.get(f"{base}/api/v1/status").json()["status"] == "operational"
    client = new_client(dynamodb_endpoint)
    counts = [client.scan(TableName=name, Select="COUNT")["Count"] for name in names.values()]
    assert counts[0] > 0


def test_a_store_that_goes_away_is_a_clear_503_and_costs_no_key_its_validity(tmp_path: Path) -> None:
    output = tmp_path / "output.txt"
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        endpoint = f"http://127.0.0.1:{unused.getsockname()[1]}"
        with (
            gateway(output, AWS_ENDPOINT_URL_DYNAMODB=endpoint, WORKERS="1") as base,
            httpx.Client(base_url=base, timeout=60) as http,
        ):
            for answer in (
                http.post("/api/v1/keys"),
                http.post(PIX, json=CHARGE, headers=DEMO),
                http.get(
                    "/api/v1/usage", headers={"X-API-Key": "brsk_KKEKaYx8FiYx8hpF4Pz0PWWnkAA1lR1x2Pva9A"}
                ),
            ):
                assert (answer.status_code, answer.json()["code"]) == (503, "store_unavailable")
                assert int(answer.headers["retry-after"]) >= 1
            status = http.get("/api/v1/status")
            assert (status.status_code, status.json()["status"]) == (200, "down")
            assert http.get("/api/v1/plans").status_code == 200
    assert " StoreUnavailable at " in output.read_text()  # the authorizer's failure leaves a trace


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DEMO_MONTHLY_LIMIT", "abc"),
        ("TRUSTED_PROXIES", "zzz"),
        ("OPENCNPJ_URL", "notaurl"),
        ("CNPJA_URL", "http://cnpja.example?path"),
        ("REGISTRY_PROVIDERS", "opencnpj,google"),
        ("REGISTRY_COPY", "store"),
        ("STRIPE_PRICE_PRO", "price_1"),
        ("AWS_ENDPOINT_URL_DYNAMODB", "notaurl"),
        ("AWS_ENDPOINT_URL_DYNAMODB", "http://127.0.0.1:46051."),
        ("STORE_TIMEOUT_SECONDS", "0"),
        ("STORE", "sqlite"),
        ("STORE", "sqlite://data/x.db"),
        ("STORE", "sqlite:///"),
        ("STORE", "sqlite:////proc/no/such.db"),
        ("STORE", "postgres://host/db"),
        ("STORE", "postgresql://u:p@[host/db"),
        ("STORE", "stripe"),
        ("PORT", "abc"),
        ("PORT", "70000"),
        ("WORKERS", "two"),
        ("HOST", "no.such.host.invalid"),
    ],
)
def test_a_setting_that_cannot_be_is_named_in_one_line(name: str, value: str) -> None:
    told = refused({name: value})
    assert name in told or "Stripe" in told or (value.startswith("sqlite:////") and value[10:] in told)
    assert "u:p" not in told


def test_a_store_that_cannot_make_its_tables_is_told_in_one_line() -> None:
    nowhere = f"http://127.0.0.1:{free_port()}"
    told = refused({"AWS_ENDPOINT_URL_DYNAMODB": nowhere, "CREATE_TABLES": "1"})
    assert "tables cannot be made" in told


def refused(settings: dict[str, str]) -> str:
    """The one line with which a gateway of such settings ends."""
    environment = {**os.environ, "PYTHONPATH": "layers/shared", "PORT": str(free_port()), **settings}
    done = subprocess.run(
        [sys.executable, "-m", "brskills_server.gateway"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    return done.stderr


def ended(*arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """A gateway that was started with arguments, and ended by itself."""
    environment = {**os.environ, "PYTHONPATH": "layers/shared", "STORE": "memory", **settings}
    return subprocess.run(
        [sys.executable, "-m", "brskills_server.gateway", *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_a_server_that_is_asked_what_it_is_does_not_start() -> None:
    assert VERSION in ended("--version").stdout
    assert "--check" in ended("--help").stdout
    assert ended("start").returncode == 2


def test_settings_are_checked_without_a_start() -> None:
    nowhere = {"STORE": "sqlite:////proc/no/such.db"}
    assert (ended("--check", **nowhere).returncode, ended("--check", **nowhere).stderr) == (0, "")
    wrong = ended("--check", PORT="abc", LOG_FORMAT="xml")
    assert (wrong.returncode, len(wrong.stderr.splitlines())) == (1, 2)
