"""Problems as exceptions, and retries."""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime
from typing import Any

import httpx
import pytest

from brskills import (
    AsyncClient,
    Client,
    CompanyNotFound,
    ConnectionFailed,
    DemoKey,
    FieldError,
    IdempotencyKeyReused,
    InvalidFields,
    InvalidKey,
    ProblemError,
    QuotaExceeded,
    SignupClosed,
    SignupLimit,
    SourcesUnavailable,
    Throttled,
    UncountedLimit,
    UnexpectedAnswer,
)
from brskills_server.web.problem_table import PROBLEMS
from tests.client.answering import COMPANY, KEY, URL, Service, json_answer, problem
from tests.for_each import for_each

FOUND = json_answer(COMPANY)


def ask(*answers: httpx.Response | Exception, **options: Any) -> tuple[Any, Service]:
    """Return the answer or exception of a lookup, and the service."""
    service = Service(*answers)
    try:
        found: Any = Client(KEY, URL, transport=service.transport, **options).company(191)
    except Exception as error:
        found = error
    return found, service


def test_invalid_fields_are_listed() -> None:
    errors = [{"campo": "cnpj", "code": "invalid_check_digits", "detail": "Confira."}]
    many, _ = ask(problem(422, "invalid_fields", errors=errors, errors_total=301))
    assert (len(many.errors), many.errors_total) == (1, 301)
    assert str(many) == "Título: cnpj: Confira. … (301)"
    error, _ = ask(problem(422, "invalid_fields", errors=errors))
    assert isinstance(error, InvalidFields)
    assert error.errors_total == 1
    assert error.errors == (FieldError("cnpj", "invalid_check_digits", "Confira."),)
    assert str(error) == "Título: cnpj: Confira."
    assert repr(error) == "InvalidFields('Título: cnpj: Confira.')"  # as one prints a batch


def test_quota_reset_time() -> None:
    reset = int(datetime(2026, 12, 1, 3, tzinfo=UTC).timestamp())
    headers = {"Retry-After": "900000", "X-RateLimit-Reset": str(reset)}
    error, service = ask(problem(429, "quota_exceeded", headers))
    assert isinstance(error, QuotaExceeded)
    assert error.resets_at == datetime(2026, 12, 1, 3, tzinfo=UTC)
    assert len(service.requests) == 1


@pytest.mark.parametrize(("confirmed", "day"), [(True, "2026-11-01"), (False, None)])
def test_company_not_found_confirmed(confirmed: bool, day: str | None) -> None:
    error, _ = ask(problem(404, "company_not_found", confirmado=confirmed, data_base=day))
    assert isinstance(error, CompanyNotFound)
    assert error.confirmed is confirmed
    assert error.data_base == (date(2026, 11, 1) if day else None)


CLASSES = [
    (401, "missing_api_key", InvalidKey), (401, "invalid_api_key", InvalidKey), (403, "demo_key", DemoKey),
    (422, "idempotency_key_reused", IdempotencyKeyReused), (403, "signup_closed", SignupClosed),
    (429, "signup_limit", SignupLimit), (413, "body_too_large", ProblemError),
]  # fmt: skip


@for_each(("status", "code", "kind"), CLASSES)
def test_classes_of_problems(status: int, code: str, kind: type[ProblemError]) -> None:
    error, service = ask(problem(status, code, {"Retry-After": "5"}))
    assert type(error) is kind
    assert (error.code, error.status, error.request_id, error.retry_after) == (code, status, "r-1", 5)
    assert len(service.requests) == 1


def test_only_transient_problems_are_retried(waits: list[float]) -> None:
    repeated = set()
    for name, kind in PROBLEMS.items():
        code = name.partition(":")[0]
        answer = problem(kind.status, code, {"Retry-After": "1"}, confirmado=True, data_base=None)
        if len(ask(answer, retries=1)[1].requests) > 1:
            repeated.add(code)
    outages = {"internal_error", *(f"{part}_unavailable" for part in ("sources", "store", "billing", "copy"))}
    assert repeated == {"throttled", "uncounted_limit", *outages}


def test_retries_follow_retry_after_and_keep_the_key(waits: list[float]) -> None:
    busy = problem(429, "throttled", {"Retry-After": "7"})
    down = problem(503, "sources_unavailable", {"Retry-After": "11"})
    found, service = ask(busy, httpx.ReadTimeout("…"), down, FOUND)
    assert found.cnpj == "SANDBOX1000170"
    assert (waits[0], waits[2]) == (7, 11)
    assert 0 <= waits[1] <= 20
    (key,) = set(service.idempotency_keys)
    assert key


def test_concurrent_retries(waits: list[float]) -> None:
    busy = {f"{n:014d}": 2 for n in range(20)}

    def serve(request: httpx.Request) -> httpx.Response:
        number = httpx.Response(200, content=request.content).json()["cnpj"]
        busy[number] -= 1
        return problem(429, "throttled", {"Retry-After": "1"}) if busy[number] >= 0 else FOUND

    async def look_up() -> int:
        async with AsyncClient(KEY, URL, transport=httpx.MockTransport(serve)) as client:
            return len(await asyncio.gather(*(client.company(number) for number in busy)))

    assert asyncio.run(look_up()) == 20
    assert waits == [1.0] * 40


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [(503, "sources_unavailable", SourcesUnavailable), (429, "uncounted_limit", UncountedLimit)],
)
def test_no_retry_beyond_max_wait(
    waits: list[float], status: int, code: str, kind: type[ProblemError]
) -> None:
    error, service = ask(problem(status, code, {"Retry-After": "61"}))
    assert isinstance(error, kind)
    assert error.transient
    assert (error.retry_after, len(service.requests), waits) == (61, 1, [])


def test_last_error_is_raised(waits: list[float]) -> None:
    error, service = ask(problem(429, "throttled"), retries=2)
    assert isinstance(error, Throttled)
    assert (len(service.requests), len(waits)) == (3, 2)


def test_connection_error_omits_addresses(waits: list[float]) -> None:
    error, _ = ask(httpx.ConnectError("[Errno 111] at 10.1.2.3"), retries=0)
    assert isinstance(error, ConnectionFailed)
    assert "10.1.2.3" not in str(error)
    assert error.__cause__ is None


@pytest.mark.parametrize("status", [502, 503])
def test_errors_of_proxies_are_retried(status: int, waits: list[float]) -> None:
    page = httpx.Response(status, content=b"<html>bad gateway</html>")
    found, _ = ask(page, FOUND)
    assert found.cnpj == "SANDBOX1000170"
    error, service = ask(page, retries=1)
    assert isinstance(error, UnexpectedAnswer)
    assert error.status == status
    assert len(service.requests) == 2


def test_redirects_are_not_followed() -> None:
    error, service = ask(httpx.Response(302, headers={"Location": "https://elsewhere.example/"}))
    assert isinstance(error, UnexpectedAnswer)
    assert len(service.requests) == 1


def test_create_key_is_not_retried(waits: list[float]) -> None:
    service = Service(httpx.ReadTimeout("…"))
    with pytest.raises(ConnectionFailed):
        Client(base_url=URL, transport=service.transport).create_key()
    assert len(service.requests) == 1


def test_unconfirmed_rotation_has_the_new_key_and_is_not_retried(waits: list[float]) -> None:
    service = Service(problem(503, "store_unavailable", api_key="brsk_new"))
    with pytest.raises(ProblemError) as unconfirmed:
        Client(KEY, URL, transport=service.transport).rotate_key()
    assert unconfirmed.value.members["api_key"] == "brsk_new"
    assert "brsk_new" not in str(unconfirmed.value)
    assert len(service.requests) == 1
