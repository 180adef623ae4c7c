"""Problems as exceptions with their fields, and when a call is made again."""

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
    UnexpectedAnswer,
)
from brskills_server.web.problem_table import PROBLEMS
from tests.client.answering import COMPANY, KEY, URL, Service, json_answer, problem

FOUND = json_answer(COMPANY)


def ask(*answers: httpx.Response | Exception, **options: Any) -> tuple[Any, Service]:
    """What a look-up comes to: the answer or the error, and the service that was asked."""
    service = Service(*answers)
    try:
        found: Any = Client(KEY, URL, transport=service.transport, **options).company(191)
    except Exception as error:
        found = error
    return found, service


def test_every_faulty_field_is_told() -> None:
    errors = [{"campo": "cnpj", "code": "invalid_check_digits", "detail": "Confira."}]
    error, _ = ask(problem(422, "invalid_fields", errors=errors))
    assert isinstance(error, InvalidFields)
    assert error.errors == (FieldError("cnpj", "invalid_check_digits", "Confira."),)
    assert str(error) == "Título: cnpj: Confira."
    assert repr(error) == "InvalidFields('Título: cnpj: Confira.')"  # as one prints a batch


def test_of_many_faulty_fields_the_first_are_listed_and_all_counted() -> None:
    errors = [{"campo": "cnpj", "code": "required", "detail": "Falta."}]
    error, _ = ask(problem(422, "invalid_fields", errors=errors, errors_total=301))
    assert isinstance(error, InvalidFields)
    assert (len(error.errors), error.errors_total) == (1, 301)
    assert str(error) == "Título: cnpj: Falta. … (301)"
    few, _ = ask(problem(422, "invalid_fields", errors=errors))
    assert isinstance(few, InvalidFields)
    assert few.errors_total == 1


def test_a_used_up_month_tells_when_it_ends() -> None:
    reset = int(datetime(2026, 12, 1, 3, tzinfo=UTC).timestamp())
    headers = {"Retry-After": "900000", "X-RateLimit-Reset": str(reset)}
    error, service = ask(problem(429, "quota_exceeded", headers))
    assert isinstance(error, QuotaExceeded)
    assert error.resets_at == datetime(2026, 12, 1, 3, tzinfo=UTC)
    assert len(service.requests) == 1


@pytest.mark.parametrize(("confirmed", "day"), [(True, "2026-11-01"), (False, None)])
def test_an_absence_tells_whether_it_is_confirmed(confirmed: bool, day: str | None) -> None:
    error, _ = ask(problem(404, "company_not_found", confirmado=confirmed, data_base=day))
    assert isinstance(error, CompanyNotFound)
    assert error.confirmed is confirmed
    assert error.data_base == (date(2026, 11, 1) if day else None)


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (401, "missing_api_key", InvalidKey),
        (401, "invalid_api_key", InvalidKey),
        (403, "demo_key", DemoKey),
        (422, "idempotency_key_reused", IdempotencyKeyReused),
        (403, "signup_closed", SignupClosed),
        (429, "signup_limit", SignupLimit),
        (413, "body_too_large", ProblemError),
    ],
)
def test_other_problems_have_their_classes(status: int, code: str, kind: type[ProblemError]) -> None:
    error, service = ask(problem(status, code, {"Retry-After": "5"}))
    assert type(error) is kind
    assert (error.code, error.status, error.request_id, error.retry_after) == (code, status, "r-1", 5)
    assert len(service.requests) == 1


def test_only_problems_that_pass_are_tried_again(waits: list[float]) -> None:
    extra = {"confirmado": True, "data_base": None}
    repeated = set()
    for name, kind in PROBLEMS.items():
        code = name.partition(":")[0]
        _, service = ask(problem(kind.status, code, {"Retry-After": "1"}, **extra), retries=1)
        if len(service.requests) > 1:
            repeated.add(code)
    outages = {"internal_error", "sources_unavailable", "store_unavailable", "billing_unavailable"}
    assert repeated == {"throttled", *outages}


def test_a_repeated_call_waits_as_asked_and_keeps_its_key(waits: list[float]) -> None:
    busy = problem(429, "throttled", {"Retry-After": "7"})
    down = problem(503, "sources_unavailable", {"Retry-After": "11"})
    found, service = ask(busy, httpx.ReadTimeout("…"), down, FOUND)
    assert found.cnpj == "SANDBOX1000170"
    assert waits[0] == 7
    assert waits[2] == 11
    assert 0 <= waits[1] <= 20
    assert len(set(service.idempotency_keys)) == 1
    assert None not in service.idempotency_keys


def test_asyncio_waits_alike(waits: list[float]) -> None:
    service = Service(problem(429, "throttled", {"Retry-After": "7"}), httpx.ConnectError("…"), FOUND)

    async def look_up() -> str:
        async with AsyncClient(KEY, URL, transport=service.transport) as client:
            return (await client.company(191)).cnpj

    assert asyncio.run(look_up()) == "SANDBOX1000170"
    assert waits[0] == 7
    assert len(waits) == 2
    assert len(set(service.idempotency_keys)) == 1


def test_one_client_repeats_many_calls_at_once(waits: list[float]) -> None:
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


def test_what_would_be_too_long_a_wait_is_told_at_once(waits: list[float]) -> None:
    error, service = ask(problem(503, "sources_unavailable", {"Retry-After": "61"}))
    assert isinstance(error, SourcesUnavailable)
    assert error.retry_after == 61
    assert len(service.requests) == 1
    assert waits == []


def test_after_so_many_tries_the_last_error_is_raised(waits: list[float]) -> None:
    error, service = ask(problem(429, "throttled"), retries=2)
    assert isinstance(error, Throttled)
    assert len(service.requests) == 3
    assert len(waits) == 2


def test_no_answer_is_told_without_addresses(waits: list[float]) -> None:
    error, _ = ask(httpx.ConnectError("[Errno 111] at 10.1.2.3"), retries=0)
    assert isinstance(error, ConnectionFailed)
    assert "10.1.2.3" not in str(error)
    assert error.__cause__ is None


@pytest.mark.parametrize("status", [502, 503])
def test_a_proxys_failure_is_tried_again(status: int, waits: list[float]) -> None:
    page = httpx.Response(status, content=b"<html>bad gateway</html>")
    found, _ = ask(page, FOUND)
    assert found.cnpj == "SANDBOX1000170"
    error, service = ask(page, retries=1)
    assert isinstance(error, UnexpectedAnswer)
    assert error.status == status
    assert len(service.requests) == 2


def test_a_redirect_is_not_followed() -> None:
    error, service = ask(httpx.Response(302, headers={"Location": "https://elsewhere.example/"}))
    assert isinstance(error, UnexpectedAnswer)
    assert len(service.requests) == 1


def test_a_key_is_asked_for_once(waits: list[float]) -> None:
    service = Service(httpx.ReadTimeout("…"))
    with pytest.raises(ConnectionFailed):
        Client(base_url=URL, transport=service.transport).create_key()
    assert len(service.requests) == 1


def test_an_unconfirmed_rotation_hands_the_new_key_on_and_is_not_repeated(waits: list[float]) -> None:
    service = Service(problem(503, "store_unavailable", api_key="brsk_new"))
    with pytest.raises(ProblemError) as unconfirmed:
        Client(KEY, URL, transport=service.transport).rotate_key()
    assert unconfirmed.value.members["api_key"] == "brsk_new"
    assert "brsk_new" not in str(unconfirmed.value)
    assert len(service.requests) == 1
