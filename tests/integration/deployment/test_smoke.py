"""``make smoke`` at the gateway, and at servers that are closed, broken, slow or other ones."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import httpx
import pytest

from deployment.smoke.__main__ import main, run
from deployment.smoke.key_checks import KeyChecks
from deployment.smoke.report import Report
from deployment.smoke.service import Service, Unreachable
from tests.services.gateway import free_port
from tests.services.gateway_thread import gateway_thread
from tests.services.site import site

from .servers import endless, stub

MAX_REQUESTS = 15
TLS_NAME = "another.example"


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("API_KEY", raising=False)


def usage(base: str, key: str) -> httpx.Response:
    return httpx.get(f"{base}/api/v1/usage", headers={"X-API-Key": key})


def test_a_healthy_service_passes(base: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([f"{base}/"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert all(line.startswith("ok    ") for line in lines[:-1])
    assert lines[-1] == f"{len(lines) - 1} passed, 0 failed, requests: {MAX_REQUESTS}"


def test_the_new_key_is_revoked(base: str) -> None:
    with Service(base, seconds=30) as service:
        run(service, "", Report())
    assert usage(base, service.key).json()["code"] == "invalid_api_key"


@pytest.mark.parametrize("interruption", [Unreachable("no answer"), KeyboardInterrupt()])
def test_the_new_key_is_revoked_after_an_interruption(
    base: str, monkeypatch: pytest.MonkeyPatch, interruption: BaseException
) -> None:
    def interrupt(_: KeyChecks) -> None:
        raise interruption

    monkeypatch.setattr(KeyChecks, "refusal", interrupt)
    with Service(base, seconds=30) as service, pytest.raises(type(interruption)):
        run(service, "", Report())
    assert usage(base, service.key).json()["code"] == "invalid_api_key"


def test_a_given_key_is_charged_one_call_and_kept(
    base: str, http: httpx.Client, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    key = http.post("/api/v1/keys").json()["api_key"]
    monkeypatch.setenv("API_KEY", key)
    assert main([base]) == 0
    assert usage(base, key).json()["chamadas"] == 1
    assert key not in capsys.readouterr().out


def test_a_call_too_many_is_found(
    base: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(KeyChecks, "refusal", KeyChecks.code)
    assert main([base]) == 1
    assert "expected: 200 with 0 more calls than before" in (out := capsys.readouterr().out)
    assert "; 1 more" in out


def test_closed_sign_up_asks_for_a_key(capsys: pytest.CaptureFixture[str]) -> None:
    with gateway_thread(SIGNUPS_PER_DAY="0") as base:
        assert main([base]) == 1
    out = capsys.readouterr().out
    assert "got:      403 signup_closed, request_id " in out
    assert "run it with API_KEY=…" in out


def test_used_up_sign_ups_ask_for_a_key(capsys: pytest.CaptureFixture[str]) -> None:
    with gateway_thread(SIGNUPS_PER_DAY="1") as base:
        assert (main([base]), main([base])) == (0, 1)
    out = capsys.readouterr().out
    assert "got:      429 signup_limit, request_id " in out
    assert "run it with API_KEY=…" in out


def test_an_unknown_key_is_reported_once(
    base: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("API_KEY", "unknown-key")
    assert main([base]) == 1
    assert (out := capsys.readouterr().out).count("401 invalid_api_key") == 1
    assert "unknown-key" not in out


@pytest.mark.parametrize(
    ("status", "content", "media_type", "got"),
    [
        (200, "<html>Welcome</html>", "text/html", "200 text/html; without it"),
        (200, "[]", "application/json", "200 application/json; without it"),
        (301, "", "text/plain", "301 text/plain"),
        (500, json.dumps({"code": "internal_error"}), "application/problem+json", "500 internal_error"),
        (500, json.dumps({"code": "brsk_SECRET1"}), "brsk_SECRET2", "500"),
    ],
)
def test_another_server_is_asked_once_and_gets_no_key(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    status: int,
    content: str,
    media_type: str,
    got: str,
) -> None:
    monkeypatch.setenv("API_KEY", "brsk_given")
    with stub(status, content, media_type) as (base, served):
        assert main([base]) == 1
    assert served.asked == [("/api/v1/health", None)]
    assert f"      got:      {got}\n" in (out := capsys.readouterr().out)
    assert "brsk_" not in out


@pytest.mark.parametrize(
    ("beginning", "got"),
    [
        (b"", "no complete answer within 0.3 s"),
        (b"HTTP/1.1 200 OK\r\nX-Header: ", "no complete answer within 0.3 s"),
        (b"HTTP/1.1 200 OK\r\n\r\n", "no complete answer within 0.3 s"),
        (b"SSH-2.0\r\n\r\n", "no HTTP answer"),
    ],
)
def test_a_server_without_a_complete_answer(
    capsys: pytest.CaptureFixture[str], beginning: bytes, got: str
) -> None:
    with endless(beginning) as base:
        assert main([base, "--seconds=0.3"]) == 1
    assert f"got:      {got}" in capsys.readouterr().out


def test_causes_of_a_connection_that_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with site(tmp_path, TLS_NAME) as served, stub(200, "", "text/plain") as (plain, _):
        for url, got in (
            (f"http://127.0.0.1:{free_port()}", "a refused connection"),
            ("https://name.invalid", "a host name that DNS does not resolve"),
            (f"https://127.0.0.1:{served.port}", "a TLS certificate that is not valid here: self"),
            (plain.replace("http:", "https:"), "a TLS error: "),
        ):
            assert main([url]) == 1
            assert f"got:      {got}" in capsys.readouterr().out


def test_a_name_with_two_addresses_is_refused_at_both(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def resolve(_: str, port: int, *__: object, **___: object) -> list[tuple[object, ...]]:
        return [
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", (host, port)) for host in ("127.0.0.1", "127.0.0.2")
        ]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    assert main([f"https://api.example.com:{free_port()}"]) == 1
    assert "got:      a refused connection" in capsys.readouterr().out


@pytest.mark.parametrize(
    "url",
    [
        "api.example.com",
        "ftp://api.example.com",
        "http://api.example.com",
        "https://user:password@api.example.com",
        "https://api.example.com/?key=1",
        "https://abc.execute-api.sa-east-1.amazonaws.com",
        "https://abc.execute-api.sa-east-1.amazonaws.com/",
    ],
)
def test_other_addresses_are_refused(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main([url])
    assert "URL must " in (err := capsys.readouterr().err)
    assert "password" not in err


def test_without_an_address_the_usage_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert capsys.readouterr().err == "usage: make smoke URL=https://api.example.com [API_KEY=…]\n"
