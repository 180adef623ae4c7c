"""Any answer of a provider becomes a record of the requested company, its absence, or a failure.

Recorded answers and invented ones are changed at random and read on the way that an answer takes, from bytes
on. What is expensive is counted (calls of functions), never timed.
"""

from __future__ import annotations

import asyncio
import json
import sys
import unicodedata
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brskills_server.registry.answer import Answer
from brskills_server.registry.cache.entries import StoredCompany, read_entry
from brskills_server.registry.company import Company, Record
from brskills_server.registry.providers import REMOTE_IDS
from brskills_server.registry.providers.catalogue import PROVIDERS
from brskills_server.registry.providers.client import MAX_BYTES, ProviderClient
from brskills_server.registry.providers.reader import read_record
from brskills_server.registry.providers.results import AttemptResult, Found, Missing, Rejected
from brskills_server.registry.values import InvalidResponse
from tests.simulator.companies import company, recorded
from tests.simulator.dialects import DIALECTS
from tests.simulator.transport import Answered

NUMBER = "11222333000181"
OTHER = "33000167000101"
MOST_BYTES = 6_000_000  # what a function may answer with
SAMPLES = [
    *((provider, number, json.loads(body)) for (provider, number), body in recorded().items()),
    *((provider, NUMBER, DIALECTS[provider](company(NUMBER))) for provider in REMOTE_IDS),
]

RAW = "@raw:"  # a text that represents raw JSON
ODD_TEXTS = st.sampled_from([
    "", " ", "0", "-1", "NaN", "null", "***", "***000000**", "S", "Sim", "9" * 400, "1e400", "1,2,3", "1.1.1",
    "0000-00-00", "9999-99-99", "99999-01-01", "0001-01-01", "31/02/2020", "01/01/0000", "00/00/99999",
    "111.444.777-35", "11144477735", OTHER, "33.000.167/0001-01", "١٢٣٤٥٦٧٨", "²", "ﷺ" * 1_900,
    "\x00", "A\x00B\x1b[31mC\x7f\x85", "\u202e\u200b", "\ud800", "\udfff\ud83c", "\ud83c\udf5e", "é" * 1_999,
    "x" * 2_000, "x" * 2_001, "x" * 100_000, " " * 100_000, "(" * 2_000, "1/" * 1_000, "-" * 2_000,
])  # fmt: skip
ODD_NUMBERS = st.sampled_from([
    0, -1, 1, 10**13, 10**18, 10**400, -(10**400), 0.1, -0.0, 1e308, float("nan"), float("inf"),
    -float("inf"),
    f"{RAW}1e400", f"{RAW}1e-400", f"{RAW}1E999999999999", f"{RAW}-1E-999999999999", f"{RAW}{'9' * 5_000}",
    f"{RAW}0.{'1' * 5_000}", f"{RAW}205431960490.525", f"{RAW}1{'0' * 4_299}", True, False, None,
])  # fmt: skip
ODD_SHAPES = st.sampled_from(
    [[], {}, [[]], [{}], [None], [1, "a", {}], {"id": {}}, {"": None}, f"{RAW}{'[' * 100_000}{']' * 100_000}"]
)
ODD = ODD_TEXTS | ODD_NUMBERS | ODD_SHAPES | st.text() | st.integers() | st.floats()
CHANGES = st.one_of(
    ODD.map(lambda odd: lambda old: deepcopy(odd)),
    st.just(lambda old: [old]),
    st.just(lambda old: {"id": old, "codigo": old}),
    st.just(lambda old: str(old)),
    st.just(lambda old: [old] * 20 if isinstance(old, dict) else old),
    ODD_TEXTS.map(lambda odd: lambda old: f"{old}{odd}"),
    ODD.map(lambda odd: lambda old: [*old, deepcopy(odd)] if isinstance(old, list) else old),
)


def places(answer: Any) -> Iterator[tuple[Any, Any]]:
    """Every container in an answer with each of its names or positions."""
    if isinstance(answer, dict | list):
        for name, value in list(answer.items() if isinstance(answer, dict) else enumerate(answer)):
            yield answer, name
            yield from places(value)


def written(answer: Any, escaped: bool) -> bytes:
    """An answer as bytes, with raw JSON put in."""
    text = json.dumps(answer, ensure_ascii=escaped)
    parts = text.split(f'"{RAW}')
    return "".join([parts[0], *(part.replace('"', "", 1) for part in parts[1:])]).encode(
        "utf-8", "surrogatepass"
    )


@st.composite
def answers(draw: st.DrawFn) -> tuple[str, str, bytes]:
    """A provider, the number asked for, and a body."""
    provider, number, sample = draw(st.sampled_from(SAMPLES))
    answer = json.loads(json.dumps(sample))
    for _ in range(draw(st.integers(1, 4))):
        container, name = draw(st.sampled_from(list(places(answer))))
        container[name] = draw(CHANGES)(container[name])
    if draw(st.integers(0, 19)) == 19 and (grown := lists(answer)):  # last, and within what is read at all
        rows = draw(st.sampled_from(grown))
        rows[:] = rows * (MAX_BYTES // (len(json.dumps(rows)) + 1))
    body = written(answer, draw(st.booleans()))
    if draw(st.booleans()):  # a name that is there twice, in front or at the end
        twice = b'"%s": %s' % (
            draw(st.sampled_from(["cnpj", "taxId", "status"])).encode(),
            written(draw(ODD), True),
        )
        body = b"{" + twice + b", " + body[1:] if draw(st.booleans()) else body[:-1] + b", " + twice + b"}"
    return provider, draw(st.sampled_from([number, OTHER])), body


@pytest.fixture(scope="module")
def fetch() -> Iterator[Callable[[str, str, bytes], AttemptResult]]:
    """Ask a provider that sends these bytes."""
    bodies: list[bytes] = []
    transport = httpx.MockTransport(lambda request: httpx.Response(200, content=bodies.pop()))
    fetcher = ProviderClient({}, Answered(transport))
    with asyncio.Runner() as runner:

        def ask(provider: str, number: str, body: bytes) -> AttemptResult:
            bodies.append(body)
            return runner.run(fetcher.fetch_company(PROVIDERS[provider], number))

        yield ask
        runner.run(fetcher.close())


def judge(provider: str, number: str, result: AttemptResult) -> None:
    """Check that a result is one of those allowed."""
    assert isinstance(result, Found | Missing | Rejected)
    if not isinstance(result, Found):
        return
    record = result.record
    assert (record.cnpj, record.fonte) == (number, provider)
    company = StoredCompany(record.model_dump_json(), 1_795_000_000)
    assert len(json.dumps(company.text)) < MOST_BYTES
    assert read_entry(company.to_fields(), number) == company
    answer = Answer(company.text, 1_795_000_000, 1_795_000_000)
    assert Company.model_validate_json(answer.json().encode()).model_dump(mode="json") == answer.content()
    assert not any(
        unicodedata.category(letter) == "Cc" for text in texts(answer.content()) for letter in text
    )


def texts(value: Any) -> Iterator[str]:
    for container, name in places(value):
        if isinstance(container[name], str):
            yield container[name]


@given(answers())
def test_any_answer_is_a_record_or_a_failure(fetch: Any, sent: tuple[str, str, bytes]) -> None:
    provider, number, _ = sent
    judge(provider, number, fetch(*sent))


def lists(answer: Any) -> list[list[Any]]:
    return [container[name] for container, name in places(answer) if isinstance(container[name], list)]


def calls_of(work: Callable[[], object]) -> int:
    """How many functions are called, Python's own included."""
    count = 0

    def watch(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(watch)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize(("provider", "number", "sample"), SAMPLES[-len(REMOTE_IDS) :])
def test_the_work_grows_with_the_answer_and_no_faster(fetch, provider, number, sample) -> None:
    def work(times: int) -> int:
        answer = json.loads(json.dumps(sample))
        for rows in lists(answer):
            rows[:] = [json.loads(json.dumps(row)) for row in rows] * times
        body = json.dumps(answer).encode()
        results: list[AttemptResult] = []
        calls = calls_of(lambda: results.append(fetch(provider, number, body)))
        assert isinstance(results[0], Found)
        judge(provider, number, results[0])
        return calls

    work(2)  # tables are read once
    few, some, many = work(10), work(20), work(40)
    assert many - some < 2.5 * (some - few)


@pytest.mark.parametrize(
    ("provider", "changes"),
    [
        ("opencnpj", {"QSA": [{}] * 100_000}),
        ("opencnpj", {"telefones": [{"ddd": "11", "numero": "1" * 3_000}]}),
        ("brasilapi", {"qsa": [{}] * 100_000}),
        ("brasilapi", {"ddd_telefone_1": "1/" * 100_000}),
        ("cnpja", {"company": {"name": "A", "members": [{}] * 100_000}}),
        ("cnpjws", {"socios": [{}] * 100_000}),
        ("receitaws", {"qsa": [{}] * 100_000}),
        ("receitaws", {"telefone": "1" * 3_000}),
        ("receitaws", {"telefone": "1/" * 100_000}),
    ],
)
def test_an_endless_list_or_telephone_is_left_out(fetch, provider, changes) -> None:
    answer = DIALECTS[provider](company(NUMBER)) | changes
    record = fetch(provider, NUMBER, json.dumps(answer).encode()).record
    known = company(NUMBER)
    assert len(record.telefones) + len(record.socios) < len(known["telefones"]) + len(known["socios"])


JUNK: tuple[Any, ...] = (-1000, {}, [], [[1]], {"id": {}}, True, 1.5, "9" * 3_000, "\u202e?", 10**30)
ESSENTIAL = {"cnpj", "taxId", "razao_social", "name", "nome", "status"}
"""The names of what makes a record: number, legal name, and ReceitaWS's ``status``."""
TOGETHER = (
    {"capital_social", "capital_social_precisao"},
    {"situacao_cadastral.codigo", "situacao_cadastral.descricao"},
    {"endereco.municipio", "endereco.uf", "endereco.codigo_ibge", "endereco.codigo_siafi"},
    {"telefones", "fax"},
)
"""Fields that one value makes."""


def flat(record: Record) -> dict[str, Any]:
    """A record's fields, those of its objects beside the others."""
    fields = json.loads(record.model_dump_json())
    for name in ("endereco", "situacao_cadastral"):
        fields |= {f"{name}.{part}": value for part, value in fields.pop(name).items()}
    return fields


@pytest.mark.parametrize(("provider", "number", "sample"), SAMPLES)
def test_one_odd_value_costs_its_field_alone(provider: str, number: str, sample: Any) -> None:
    sample = json.loads(json.dumps(sample))
    whole = flat(read_record(PROVIDERS[provider], sample))
    for container, name in places(sample):
        old = container[name]
        for junk in () if isinstance(old, dict | list) else JUNK:
            container[name] = junk
            try:
                got = flat(read_record(PROVIDERS[provider], sample))
            except InvalidResponse:
                assert name in ESSENTIAL, (name, junk)
                continue
            lost = {field for field in whole if got[field] != whole[field]}
            assert len(lost) <= 1 or any(lost <= fields for fields in TOGETHER), (name, junk, lost)
        container[name] = old
