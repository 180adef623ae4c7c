"""Watched companies and their feed, by both clients and by the command."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from brskills import AsyncClient, Client, InvalidFields, WatchLimit
from tests.client.answering import KEY, URL, Service, client, json_answer, problem

WATCH = {"cnpj": "33000167000101", "referencia": "a", "desde": "2026-11-18T11:06:40Z"}
CHANGE = {
    "id": "x-1", "cnpj": "33000167000101", "referencia": None, "data_base": "2026-10-10",
    "mudancas": [
        {"data_base": "2026-10-10", "campo": "capital_social", "de": "1.00", "para": "2.00"},
        {"data_base": "2026-10-10", "campo": "razao_social", "de": "=A", "para": "B"},
    ],
}  # fmt: skip
FEED = tuple(
    json_answer({"mudancas": [change] if change else [], "cursor": cursor})
    for change, cursor in ((CHANGE, "c-1"), ({**CHANGE, "id": "x-2"}, "c-2"), (None, "c-2"))
)
LIST = tuple(
    json_answer({"watches": [{**WATCH, "cnpj": cnpj}], "cursor": cursor})
    for cnpj, cursor in (("33000167000101", "w-1"), ("SANDBOX1000170", None))
)
REFUSED = {
    "type": "urn:brskills:problem:watch_limit", "title": "Limite", "detail": "O plano permite 5.",
    "status": 409, "code": "watch_limit", "request_id": "r-1",
}  # fmt: skip


def entries(*statuses: int) -> Any:
    made = [
        {
            "indice": place,
            "status": status,
            **({"resposta": WATCH} if status < 300 else {"problema": REFUSED}),
        }
        for place, status in enumerate(statuses)
    ]
    return json_answer({"resultados": made})


def bodies(service: Service) -> list[Any]:
    return [json.loads(request.content) for request in service.requests]


def addresses(service: Service) -> list[str]:
    return [f"{request.method} {request.url.raw_path.decode()}" for request in service.requests]


def test_one_is_watched_and_ended() -> None:
    service = Service(json_answer(WATCH, 201), json_answer(WATCH), json_answer(None, 204))
    with Client(KEY, URL, transport=service.transport) as made:
        watch = made.watch(33000167000101, "a")
        assert (watch.cnpj, watch.referencia, watch.desde.year) == ("33000167000101", "a", 2026)
        made.watch("33.000.167/0001-01")
        made.unwatch("33.000.167/0001-01")
        made.unwatch(191)
    assert [json.loads(each.content) for each in service.requests[:2]] == [
        {"cnpj": 33000167000101, "referencia": "a"},
        {"cnpj": "33.000.167/0001-01"},
    ]
    assert addresses(service)[2:] == [
        "DELETE /api/v1/watches/33.000.167%2F0001-01",
        "DELETE /api/v1/watches/00000000000191",
    ]


def test_several_have_an_outcome_each() -> None:
    service = Service(entries(201, 200, 409))
    with Client(KEY, URL, transport=service.transport) as made:
        first, second, third = made.watch_all(["1", {"cnpj": "2", "referencia": "b"}, 3])
    assert bodies(service) == [{"cnpjs": ["1", {"cnpj": "2", "referencia": "b"}, 3]}]
    assert (first.nova, second.nova, third.watch) == (True, False, None)
    assert isinstance(third.problema, WatchLimit)


def test_pages_are_fetched_when_they_are_needed() -> None:
    service = Service(*LIST, *FEED)
    with Client(KEY, URL, transport=service.transport) as made:
        assert [watch.cnpj for watch in made.watches()] == ["33000167000101", "SANDBOX1000170"]
        pages = list(made.changes_since())
    assert [[change.id for change in page.mudancas] for page in pages] == [["x-1"], ["x-2"], []]
    assert pages[0].mudancas[0].data_base == date(2026, 10, 10)
    assert pages[-1].cursor == "c-2"
    assert addresses(service) == [
        "GET /api/v1/watches?limite=100",
        "GET /api/v1/watches?limite=100&cursor=w-1",
        "GET /api/v1/changes?limite=100",
        "GET /api/v1/changes?limite=100&cursor=c-1",
        "GET /api/v1/changes?limite=100&cursor=c-2",
    ]


def test_asyncio_does_the_same() -> None:
    service = Service(*LIST, *FEED)

    async def collect() -> tuple[list[str], list[str]]:
        async with AsyncClient(KEY, URL, transport=service.transport) as made:
            numbers = [watch.cnpj async for watch in made.watches()]
            return numbers, [page.cursor async for page in made.changes_since()]

    assert asyncio.run(collect()) == (["33000167000101", "SANDBOX1000170"], ["c-1", "c-2", "c-2"])


def test_the_limit_has_a_class() -> None:
    with pytest.raises(WatchLimit):
        client(problem(409, "watch_limit")).watch("SANDBOX1000170")
    with pytest.raises(InvalidFields):
        client(problem(422, "invalid_fields", errors=[])).changes("x")


def test_the_command_watches_numbers_and_says_what_is_wrong(ended: Any) -> None:
    service = Service(entries(201, 200))
    code, out, err = ended("monitorar", "33.000.167/0001-01", "x", "SANDBOX1000170", answer=service)
    assert code == 2
    assert out.splitlines() == ["1 new company", "1 already watched"]
    assert err.splitlines()[-1].startswith("x: ")
    assert bodies(service) == [{"cnpjs": [{"cnpj": "33000167000101"}, {"cnpj": "SANDBOX1000170"}]}]
    for name in ("monitorar", "vigiar"):  # the former name
        assert ended(name, "SANDBOX1000170", answer=entries(201))[0] == 0


def test_the_command_watches_a_file_two_hundred_at_a_time(ended: Any, home: Path) -> None:
    lines = ["nome;cnpj;referencia", "a;33.000.167/0001-01;f-1", "b;123;f-2"]
    lines += ["c;SANDBOX1000170;"] * 200
    (home / "f.csv").write_text("\n".join(lines), encoding="utf-8")
    service = Service(entries(201, *[200] * 199), entries(409))
    code, out, err = ended("monitorar", "f.csv", "--json", answer=service)
    assert code == 6
    found = json.loads(out)
    assert (found["novas"], found["ja_vigiadas"]) == (1, 199)
    assert [wrong["linha"] for wrong in found["erradas"]] == ["line 3", "line 203"]
    assert found["erradas"][1]["detalhe"] == "O plano permite 5."
    sent = bodies(service)
    assert [len(body["cnpjs"]) for body in sent] == [200, 1]
    assert sent[0]["cnpjs"][0] == {"cnpj": "33000167000101", "referencia": "f-1"}
    assert err == ""


def test_a_file_without_numbers_is_refused_without_an_option_that_is_not_there(
    ended: Any, home: Path
) -> None:
    (home / "f.csv").write_text("nome;cidade\nA;B\n", encoding="utf-8")
    code, _, err = ended("monitorar", "f.csv", answer=Service())
    assert code == 2
    assert "no column holds CNPJs" in err
    assert "--coluna" not in err


def test_the_command_lists_and_ends(ended: Any) -> None:
    code, out, err = ended("monitorar", "--lista", answer=Service(*LIST))
    assert (code, out.splitlines()) == (
        0,
        ["33.000.167/0001-01  2026-11-18  a", "SANDBOX1000170  2026-11-18  a"],
    )
    assert err.splitlines() == ["2 watched companies"]
    code, out, _ = ended("monitorar", "--lista", "--json", answer=Service(*LIST))
    assert (code, [watch["referencia"] for watch in json.loads(out)["watches"]]) == (0, ["a", "a"])
    service = Service(json_answer(None, 204))
    assert ended("monitorar", "--parar", "1", "--parar", "2", answer=service)[0] == 0
    assert addresses(service) == ["DELETE /api/v1/watches/1", "DELETE /api/v1/watches/2"]
    for arguments in ([], ["1", "--lista"], ["--lista", "--parar", "1"]):
        assert ended("monitorar", *arguments, answer=service)[0] == 2
    assert len(service.requests) == 2


def test_the_command_writes_the_feed(ended: Any, home: Path) -> None:
    service = Service(*FEED)
    code, out, err = ended("mudancas", answer=service)
    assert code == 0
    rows = list(csv.DictReader(io.StringIO(out), delimiter=";"))
    assert [(row["cnpj"], row["campo"], row["de"], row["id"]) for row in rows] == [
        ("33.000.167/0001-01", "capital_social", "1.00", "x-1"),
        ("33.000.167/0001-01", "razao_social", "'=A", "x-1"),
    ]
    assert err.splitlines() == ["1 change", "to get only what comes later: --cursor c-1"]
    assert len(service.requests) == 1
    followed = Service(*FEED)
    _, out, _ = ended("mudancas", "--seguir", "--cursor", "c-0", "--json", answer=followed)
    assert [change["id"] for change in json.loads(out)["mudancas"]] == ["x-1", "x-2"]
    assert "cursor=c-0" in addresses(followed)[0]
    code, out, err = ended("mudancas", "--saida", "m.csv", answer=Service(*FEED))
    assert (code, out, "file written: m.csv" in err) == (0, "", True)
    assert (home / "m.csv").read_text(encoding="utf-8").startswith("\ufeffdata_base;cnpj;")
    assert ended("mudancas", "--saida", "m.csv", answer=Service(*FEED))[0] == 2
