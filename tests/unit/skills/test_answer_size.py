"""No answer is longer than 5 MB: one that would be is refused, alone or as an item, and not counted."""

import base64
import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brskills_server.registry.answer import Answer
from brskills_server.registry.query import Query
from brskills_server.skills.answer_size import MAX_ANSWER_BYTES, check_size, sent_bytes
from brskills_server.skills.cnpj.look_up_companies import LOOK_UP_COMPANIES
from brskills_server.skills.cnpj.look_up_company import LOOK_UP_COMPANY
from brskills_server.skills.errors import ApiError
from brskills_server.skills.perform import perform
from brskills_server.skills.pix.create_pix_codes import CREATE_PIX_CODES
from brskills_server.web.response import Response
from tests.conftest import NOVEMBER
from tests.simulator.companies import numbers
from tests.unit.skills.test_batches import CHARGE, Account, entries

ROOT = "11222333"
LAMBDA_BYTES = 6 * 1024 * 1024
"""What a function on AWS may return, as JSON
(https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html)."""


def company(cnpj: str, letters: int, letter: str = "a") -> Answer:
    text = json.dumps({"cnpj": cnpj, "nome": letter * letters}, ensure_ascii=False)
    return Answer(text, int(NOVEMBER), int(NOVEMBER))


def in_function(body: str) -> int:
    result = Response(200, body).as_proxy_result("r")
    return len(json.dumps(result, ensure_ascii=False).encode())


@given(st.text(max_size=50))
def test_the_length_of_a_text_is_that_in_a_functions_result(text: str) -> None:
    empty = len(json.dumps({"body": ""}).encode())
    assert sent_bytes(text) == len(json.dumps({"body": text}, ensure_ascii=False).encode()) - empty + 2


@pytest.mark.parametrize("letter", ["a", "☃", "\x01"])
def test_the_longest_answer_passes_and_one_letter_more_does_not(letter: str) -> None:
    most = (MAX_ANSWER_BYTES - 2) // (sent_bytes(letter) - 2)
    check_size(letter * most)
    assert in_function(letter * most) < LAMBDA_BYTES
    with pytest.raises(ApiError):
        Response(200, letter * (most + 1))


def test_bytes_are_as_long_as_their_base64() -> None:
    most = MAX_ANSWER_BYTES // 4 * 3
    Response(200, b"a" * most)
    assert len(base64.b64encode(b"a" * most)) == MAX_ANSWER_BYTES
    with pytest.raises(ApiError):
        Response(200, b"a" * (most + 1))


def test_an_answer_that_is_too_long_is_refused_and_not_counted() -> None:
    account = Account()
    call = account.call()
    object.__setattr__(call, "find_company", lambda query: company(query.cnpj, 5_000_000))
    with pytest.raises(ApiError) as caught:
        perform(
            LOOK_UP_COMPANY, {"cnpj": numbers(ROOT, 1)[0]}, call, lambda found: Response(200, found.json())
        )
    assert (caught.value.code, caught.value.nothing_failed) == ("sources_unavailable", True)
    assert caught.value.retry_after
    assert account.counted == 0


def batch_of(sizes: dict[str, int], cnpjs: list[str], letter: str = "a") -> tuple[dict[str, Any], Account]:
    def find(asked: Sequence[Query]) -> list[Any]:
        return [company(query.cnpj, sizes[query.cnpj], letter) for query in asked]

    account = Account()
    answer = account.together(LOOK_UP_COMPANIES, {"cnpjs": cnpjs}, account.call(find_companies=find))
    return answer, account


def written(answer: dict[str, Any]) -> str:
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":"))


@pytest.mark.parametrize("letter", ['"', "☃"])
def test_a_batch_answers_what_fits_and_counts_that(letter: str) -> None:
    cnpjs = numbers(ROOT, 100)
    answer, account = batch_of(dict.fromkeys(cnpjs, 200_000), cnpjs, letter)
    statuses = [status for status, _ in entries(answer)]
    each = sent_bytes(company(cnpjs[0], 200_000, letter).json())
    assert statuses.count(200) * each < MAX_ANSWER_BYTES < (statuses.count(200) + 1) * each + 200_000
    assert {entry["code"] for status, entry in entries(answer) if status == 503} == {"sources_unavailable"}
    assert answer["contadas"] == account.counted == statuses.count(200)
    assert in_function(written(answer)) < LAMBDA_BYTES


@pytest.mark.parametrize(
    ("sizes", "order", "statuses", "counted"),
    [
        ([3_000_000, 3_000_000, 10], [0, 1, 2], [200, 503, 200], 2),
        ([3_000_000, 4_000_000], [0, 0, 1], [200, 503, 503], 1),  # counts where it fits once
    ],
)
def test_an_answer_that_does_not_fit_leaves_room_for_others(
    sizes: list[int], order: list[int], statuses: list[int], counted: int
) -> None:
    cnpjs = numbers(ROOT, len(sizes))
    answer, account = batch_of(dict(zip(cnpjs, sizes, strict=True)), [cnpjs[place] for place in order])
    assert [status for status, _ in entries(answer)] == statuses
    assert answer["contadas"] == account.counted == counted


def test_codes_that_report_long_changes_are_answered_as_far_as_they_fit() -> None:
    account = Account()
    items = [{**CHARGE, "nome_recebedor": "“é  ☃" + "\x01" * 20_000}] * 16
    answer = account.together(CREATE_PIX_CODES, {"itens": items}, most=20_000_000)
    statuses = [status for status, _ in entries(answer)]
    assert 0 < statuses.count(200) < 16
    assert set(statuses) == {200, 503}
    assert answer["contadas"] == account.counted == statuses.count(200)
    assert in_function(written(answer)) < LAMBDA_BYTES
