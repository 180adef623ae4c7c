"""Malformed answers and invalid settings raise `BrskillsError`."""

from __future__ import annotations

import copy
import pickle
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from brskills import (
    AsyncClient,
    BrskillsError,
    Client,
    ConfigurationError,
    ConnectionFailed,
    QuotaExceeded,
    SourcesUnavailable,
    UnexpectedAnswer,
)
from brskills.keyfile import KeyFileExists
from tests.client.answering import COMPANY, KEY, URL, client, json_answer, problem
from tests.for_each import for_each

FOUND = json_answer(COMPANY)
PAGE = b"<html>slow down</html>"
FIELD = {"campo": "cnpj", "code": "x", "detail": "d"}


def failure(answer: httpx.Response | Exception, **options: Any) -> BrskillsError:
    """Return the error of a lookup without retries."""
    with pytest.raises(BrskillsError) as failed:
        client(answer, retries=0, **options).company(191)
    return failed.value


@pytest.mark.parametrize("asked", ["9" * 5_000, "-5", "soon", "31 Feb"])
def test_invalid_retry_after_is_ignored(asked: str, waits: list[float]) -> None:
    busy = problem(503, "sources_unavailable", {"Retry-After": asked})
    error = failure(busy)
    assert (type(error), error.retry_after) == (SourcesUnavailable, None)
    assert client(busy, FOUND).company(191).cnpj == "SANDBOX1000170"
    assert 0 <= waits[-1] <= 20


def test_retry_after_of_a_batch_item() -> None:
    members = {"status": 503, "code": "sources_unavailable", "title": "t", "detail": "d", "retry_after": 30}
    content = {"resultados": [{"indice": 0, "status": 503, "problema": members}], "contadas": 0}
    (error,) = client(json_answer(content)).companies([1]).resultados
    assert isinstance(error, SourcesUnavailable)
    assert error.retry_after == 30


@pytest.mark.parametrize(("days", "least", "most"), [(1, 86_000, 86_400), (-1, 0, 0)])
def test_retry_after_as_a_date(days: int, least: int, most: int) -> None:
    day = format_datetime(datetime.now(UTC) + timedelta(days), usegmt=True)
    asked = failure(problem(503, "sources_unavailable", {"Retry-After": day})).retry_after
    assert asked is not None
    assert least <= asked <= most


@for_each("reset", ["9" * 5_000, "-1", "soon"])
def test_invalid_quota_reset(reset: str) -> None:
    error = failure(problem(429, "quota_exceeded", {"X-RateLimit-Reset": reset}))
    assert isinstance(error, QuotaExceeded)
    assert error.resets_at is None


@pytest.mark.parametrize("status", [200, 503])
def test_deeply_nested_answer(status: int) -> None:
    error = failure(httpx.Response(status, content=b"[" * 200_000))
    assert isinstance(error, UnexpectedAnswer)
    assert error.status == status


def test_content_that_does_not_match_its_encoding() -> None:
    answer = httpx.Response(200, headers={"Content-Encoding": "gzip"}, stream=httpx.ByteStream(b"not gzip"))
    with pytest.raises(ConnectionFailed, match="DecodingError"):
        Client(KEY, URL, retries=0, transport=httpx.MockTransport(lambda _request: answer)).usage()


@pytest.mark.parametrize("url", ["http://[::1", "http://host:port", "http://host:99999", "http://\udcff"])
def test_malformed_addresses(url: str) -> None:
    for kind in (Client, AsyncClient):
        with pytest.raises(ConfigurationError):
            kind(KEY, url)


def test_host_that_cannot_be_resolved() -> None:
    with pytest.raises(ConfigurationError), Client(KEY, "http://a..b", retries=0) as unresolved:
        unresolved.usage()


@pytest.mark.parametrize(
    ("name", "value"),
    [("HTTP_PROXY", "ftp://x"), ("HTTP_PROXY", "http://[::"), ("ALL_PROXY", "socks5://127.0.0.1:9")],
)
def test_invalid_proxies(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    for kind in (Client, AsyncClient):
        with pytest.raises(ConfigurationError, match="proxy"):
            kind(KEY, URL)


def test_invalid_certificates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ca.pem").write_text("none")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    with pytest.raises(ConfigurationError, match="certificates"):
        Client(KEY, URL)


def test_invalid_header() -> None:
    with pytest.raises(ConfigurationError):
        client(FOUND).company(191, idempotency_key="é")


@for_each(
    "error",
    [
        ConfigurationError("no"),
        KeyFileExists(Path("key"), "reason"),
        failure(httpx.ReadTimeout("…")),
        failure(httpx.Response(200, content=PAGE)),
        failure(problem(404, "company_not_found", {"Retry-After": "3"}, confirmado=True)),
        failure(problem(422, "invalid_fields", errors=[FIELD])),
    ],
)
def test_errors_can_be_pickled_and_copied(error: BrskillsError) -> None:
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):  # noqa: S301, our own
        assert type(again) is type(error)
        assert (str(again), vars(again)) == (str(error), vars(error))
