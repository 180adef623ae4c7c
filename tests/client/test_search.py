"""Searches by both clients, and by the command."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from brskills import (
    AsyncClient,
    BrskillsError,
    Client,
    CopyUnavailable,
    CursorExpired,
    QuotaExceeded,
    UnexpectedAnswer,
)
from brskills_server.skills.cnpj.search_companies import SEARCH_COMPANIES
from brskills_server.skills.cnpj.search_request import SHAPES, read_search
from tests.client.answering import KEY, URL, Service, client, json_answer, problem

SANDBOX: dict[str, Any] = SEARCH_COMPANIES.answer(read_search({"nome": "SANDBOX", "situacao": "todas"}), None)  # type: ignore[arg-type]
ROWS = SANDBOX["empresas"]
FIRST = {**SANDBOX, "empresas": ROWS[:2], "cursor": "c-1"}
SECOND = {**SANDBOX, "empresas": ROWS[2:3], "cursor": "c-2"}
LAST = {**SANDBOX, "empresas": ROWS[3:], "cursor": None}
NOTHING = {**SANDBOX, "empresas": [], "total": 0, "sugestoes": ["PADARIA", "PADARIAS"]}
PAGES = tuple(map(json_answer, (FIRST, SECOND, LAST)))


def bodies(service: Service) -> list[dict[str, Any]]:
    return [json.loads(request.content) for request in service.requests]


def test_a_page_is_read_with_the_names_of_the_api() -> None:
    page = client(json_answer(FIRST)).search(nome="SANDBOX")
    assert (page.total, page.total_exato, page.cursor, page.data_base) == (4, True, "c-1", date(2026, 10, 15))
    assert [row.cnpj for row in page.empresas] == [row["cnpj"] for row in ROWS[:2]]
    assert page.empresas[0].situacao_cadastral.descricao == "ATIVA"
    assert page.empresas[0].data_inicio_atividade == date(2019, 3, 11)


def test_all_fields_are_sent_in_the_body_as_the_service_reads_them() -> None:
    service = Service(json_answer(LAST))
    fields: dict[str, Any] = {
        "nome": ["padaria", "bar"], "raiz": 33000167, "cnae": "6201501", "cnae_principal": [600001],
        "uf": "SP", "municipio": 3550308, "cep": "01001", "natureza_juridica": "2062", "porte": 1,
        "situacao": "todas", "socio_cnpj": "33000167000101", "aberta_de": date(2020, 1, 1),
        "aberta_ate": "2026-01-01", "matriz": True, "mei": False, "simples": None, "limite": 7,
        "cursor": None,
    }  # fmt: skip
    assert fields.keys() == SHAPES.keys()
    with Client(KEY, URL, transport=service.transport) as made:
        made.search(**fields)
    (request,) = service.requests
    assert (request.method, request.url.path, request.url.query) == ("POST", "/api/v1/skills/cnpj/busca", b"")
    assert bodies(service)[0] == {name: value for name, value in fields.items() if value is not None} | {
        "aberta_de": "2020-01-01"
    }
    assert read_search(bodies(service)[0]).limit == 7


def test_all_pages_are_fetched_one_by_one_and_no_longer_than_wanted() -> None:
    service = Service(*PAGES)
    with Client(KEY, URL, transport=service.transport) as made:
        pages = made.search_all(nome="SANDBOX", uf="SP")
        assert service.requests == []
        assert next(pages).cursor == "c-1"
        assert len(service.requests) == 1
        assert [row.cnpj for page in pages for row in page.empresas] == [row["cnpj"] for row in ROWS[2:]]
    search = {"limite": 100, "nome": "SANDBOX", "uf": "SP"}
    assert bodies(service) == [search, {**search, "cursor": "c-1"}, {**search, "cursor": "c-2"}]
    assert len({*service.idempotency_keys}) == 3


def test_a_cursor_that_repeats_ends_a_search() -> None:
    pages = client(json_answer(FIRST), json_answer(SECOND), json_answer(FIRST)).search_all(nome="x")
    assert [next(pages).cursor, next(pages).cursor] == ["c-1", "c-2"]
    with pytest.raises(UnexpectedAnswer, match="cursor"):
        next(pages)


def test_the_pages_of_asyncio_are_the_same() -> None:
    service = Service(*PAGES)

    async def collect() -> list[str]:
        async with AsyncClient(KEY, URL, transport=service.transport) as made:
            return [row.cnpj async for page in made.search_all(nome="x", limite=2) for row in page.empresas]

    assert asyncio.run(collect()) == [row["cnpj"] for row in ROWS]
    assert [body.get("cursor") for body in bodies(service)] == [None, "c-1", "c-2"]
    assert {body["limite"] for body in bodies(service)} == {2}


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [(410, "cursor_expired", CursorExpired), (503, "copy_unavailable", CopyUnavailable)],
)
def test_its_problems_have_classes(status: int, code: str, kind: type[BrskillsError]) -> None:
    service = Service(problem(status, code, {"Retry-After": "3600"}))
    with pytest.raises(kind), Client(KEY, URL, transport=service.transport) as made:
        made.search(nome="x", cursor="c")
    assert len(service.requests) == 1


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff")), delimiter=";"))


def test_the_command_writes_a_page_and_says_what_the_next_costs(ended: Any) -> None:
    service = Service(*PAGES)
    arguments = "--nome SANDBOX --uf SP --uf RJ --aberta-de 2019-01-01 --filial --nao-mei --limite 2"
    code, out, err = ended("buscar", *arguments.split(), answer=service)
    assert code == 0
    rows = table(out)
    assert [row["cnpj"] for row in rows] == [row["cnpj"] for row in ROWS[:2]]
    assert (rows[1]["situacao_cadastral"], rows[1]["matriz"], rows[1]["cnae_principal"]) == (
        "BAIXADA", "yes", "6201-5/01",
    )  # fmt: skip
    assert err.splitlines() == [
        "4 companies found",
        "there are more; to continue, into another file: "
        "--cursor c-1 --paginas N (each page counts one call)",
    ]
    assert bodies(service) == [{
        "nome": ["SANDBOX"], "uf": ["SP", "RJ"], "aberta_de": "2019-01-01", "matriz": False, "mei": False,
        "limite": 2,
    }]  # fmt: skip


def test_the_command_writes_several_pages_to_a_file_once(ended: Any, home: Path) -> None:
    command = ("buscar", "--nome", "SANDBOX", "--paginas", "9", "--saida", "a.csv")
    code, out, err = ended(*command, answer=Service(*PAGES))
    assert (code, out) == (0, "")
    written = (home / "a.csv").read_text(encoding="utf-8")
    assert written.startswith("\ufeffcnpj;")
    assert [row["cnpj"] for row in table(written)] == [row["cnpj"] for row in ROWS]
    assert err.splitlines() == ["4 companies found", "file written: a.csv"]
    service = Service(json_answer(NOTHING))
    assert ended(*command, answer=service)[0] == 2
    assert service.requests == []
    assert ended(*command, "--replace", answer=service)[0] == 0
    assert table((home / "a.csv").read_text(encoding="utf-8")) == []
    assert [path.name for path in home.glob("a.csv*")] == ["a.csv"]


def test_it_stops_at_the_pages_that_are_wanted(ended: Any) -> None:
    service = Service(*PAGES)
    _, out, err = ended("buscar", "--raiz", "SANDBOX1", "--paginas", "2", answer=service)
    assert len(table(out)) == 3
    assert len(service.requests) == 2
    assert "--cursor c-2" in err


def test_what_was_fetched_is_written_although_the_quota_ends(ended: Any) -> None:
    spent = problem(429, "quota_exceeded", {"X-RateLimit-Reset": "1795000000"})
    code, out, err = ended("buscar", "--nome", "x", "--paginas", "5", answer=Service(PAGES[0], spent))
    assert code == 6
    assert len(table(out)) == 2
    assert "--cursor c-1" in err
    with pytest.raises(QuotaExceeded):
        client(spent).search(nome="x")


def test_it_answers_in_json_too(ended: Any, home: Path) -> None:
    code, out, err = ended("buscar", "--nome", "x", "--paginas", "3", "--json", answer=Service(*PAGES))
    assert (code, err) == (0, "")
    assert json.loads(out) == LAST | {"empresas": ROWS}
    _, out, _ = ended("buscar", "--nome", "x", "--json", "--saida", "b.csv", answer=Service(PAGES[2]))
    assert json.loads(out) == LAST | {"empresas": 1, "arquivo": "b.csv"}
    assert len(table((home / "b.csv").read_text(encoding="utf-8"))) == 1


def test_it_proposes_words_where_nothing_is_found(ended: Any) -> None:
    code, out, err = ended("buscar", "--nome", "padarja", "--lang", "pt", answer=json_answer(NOTHING))
    assert (code, out) == (0, "")
    assert err.splitlines()[:2] == [
        "0 empresas encontradas",
        "palavras parecidas que existem: PADARIA, PADARIAS",
    ]
    assert ended("buscar", "--nome", "x", "-q", answer=json_answer(NOTHING))[1:] == ("", "")


@pytest.mark.parametrize(
    ("language", "line"),
    [
        (
            "pt",
            "só empresas ativas foram buscadas; para buscar em todas as situações: --situacao todas "
            "(conta outra chamada)",
        ),
        (
            "en",
            "only active companies were searched; to search in every status: --situacao todas "
            "(counts another call)",
        ),
    ],
)
def test_where_no_active_company_is_found_it_says_how_to_search_all(
    ended: Any, language: str, line: str
) -> None:
    empty = json_answer({**NOTHING, "sugestoes": []})
    command = ("buscar", "--nome", "padaria", "--lang", language)
    code, out, err = ended(*command, answer=empty)
    assert (code, out) == (0, "")
    assert err.splitlines()[1:] == [line]
    for other in (["--situacao", "todas"], ["--situacao", "ativa"], ["--raiz", "33000167"]):
        assert line not in ended(*command, *other, answer=empty)[2]
    assert line not in ended(*command, answer=json_answer(LAST))[2]
    assert ended(*command, "--json", answer=empty)[2] == ""


def test_no_cell_is_a_formula_or_a_line(ended: Any) -> None:
    odd = {**ROWS[0], "razao_social": "=1+1;\n@x", "nome_fantasia": '"a";-2'}
    page = json_answer({**LAST, "empresas": [odd]})
    _, out, _ = ended("buscar", "--nome", "x", answer=page)
    assert len(out.splitlines()) == 2
    (row,) = table(out)
    assert row["razao_social"].startswith("'=1+1")
    assert "'@x" in row["razao_social"]


@pytest.mark.parametrize(
    "arguments", [["--limite", "101"], ["--paginas", "0"], ["--telefone", "1"], ["padaria"]]
)
def test_any_other_option_is_refused(ended: Any, arguments: list[str]) -> None:
    service = Service(json_answer(LAST))
    assert ended("buscar", *arguments, answer=service)[0] == 2
    assert service.requests == []
