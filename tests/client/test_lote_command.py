"""``brskills lote`` with companies, run in this process."""

from __future__ import annotations

import csv
import json
import sqlite3
from pathlib import Path
from typing import Any

import httpx
import pytest

from brskills.lote import run as lote_run
from brskills.lote.journal import Journal
from tests.client.answering import COMPANY
from tests.client.batches import Batches
from tests.client.conftest import TABLE


def rows(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8-sig", newline="") as sheet:
        return list(csv.DictReader(sheet, delimiter=";"))


def test_lote_writes_records_and_a_summary(ended: Any, home: Path) -> None:
    code, out, _ = ended("lote", "c.csv", "--json", answer=Batches())
    assert code == 0
    assert json.loads(out) == {
        "linhas": 4,
        "numeros": 2,
        "repetidas": 1,
        "consertadas": 1,
        "resultados": {"encontrada": 3, "numero_invalido": 1},
        "contadas": 2,
        "arquivo": "c-empresas.csv",
    }
    found = rows(home / "c-empresas.csv")
    assert [row["Nome"] for row in found] == ["A", "B", "C", "'=D"]
    assert found[1]["cnpj_consultado"] == "00.360.305/0001-04"
    assert found[1]["observacao"] == "leading zeros restored"
    assert "scientific notation" in found[2]["observacao"]
    assert found[3]["razao_social"] == "EMPRESA DE EXEMPLO LTDA"
    assert not (home / "c-empresas.csv.journal").exists()


def test_concurrency_is_set_up_to_16(ended: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = list[int]()
    lookup = lote_run.BatchSender
    monkeypatch.setattr(
        lote_run, "BatchSender", lambda *args, **kw: chosen.append(kw["concurrency"]) or lookup(*args, **kw)
    )
    assert ended("lote", "c.csv", "--concurrency", "2", answer=Batches())[0] == 0
    assert chosen == [2]
    assert "--concurrency" in ended("lote", "c.csv", "--concurrency", "17")[2]


def test_finished_output_needs_replace(ended: Any, home: Path) -> None:
    batches = Batches()
    assert ended("lote", "c.csv", answer=batches)[0] == 0
    assert ended("lote", "c.csv", answer=batches)[0] == 2
    assert batches.calls == 2
    assert ended("lote", "c.csv", "--replace", answer=batches)[0] == 0
    assert batches.calls == 4
    assert ended("lote", "c.csv", "-o", "c.csv", answer=batches)[0] == 2
    assert (home / "c.csv").read_text() == TABLE


def test_unanswered_rows_are_reported_and_looked_up_again(ended: Any, home: Path, waits: list[float]) -> None:
    code, out, _ = ended("lote", "c.csv", answer=Batches(room=1))
    assert (code, "resets on 2026-12-01" in out or "resets on 2026-11-30" in out) == (6, True)
    found = rows(home / "c-empresas.csv")
    results = ["encontrada", "sem_resposta", "numero_invalido", "encontrada"]
    assert [row["resultado"] for row in found] == results
    assert found[1]["observacao"] == "leading zeros restored; not answered yet; run the command again"
    code, out, _ = ended("lote", "c.csv", answer=Batches(["refused"] * 100))
    assert (code, "to continue, run" in out) == (7, True)
    code, out, _ = ended("lote", "c.csv", "--json", answer=Batches())
    assert (code, json.loads(out)["contadas"]) == (0, 2)


def test_a_used_up_allowance_leaves_rows_to_do(ended: Any, home: Path, waits: list[float]) -> None:
    code, out, _ = ended("lote", "c.csv", "--rounds", "2", answer=Batches(["half limited"] * 2))
    assert (code, "to continue, run" in out, waits.count(42)) == (0, False, 1)  # answered in the second round
    (home / "c-empresas.csv").unlink()
    code, out, _ = ended("lote", "c.csv", "--rounds", "1", answer=Batches(["half limited"]))
    assert (code, "to continue, run" in out) == (7, True)
    results = ["encontrada", "sem_resposta", "numero_invalido", "encontrada"]
    assert [row["resultado"] for row in rows(home / "c-empresas.csv")] == results
    assert ended("lote", "c.csv", answer=Batches())[0] == 0


def test_interruption_exits_with_130_and_the_next_run_continues(ended: Any, home: Path) -> None:
    code, _, err = ended("lote", "c.csv", answer=Batches(["interrupted"]))
    assert (code, err.splitlines()[-1]) == (130, "interrupted")
    batches = Batches()
    assert ended("lote", "c.csv", answer=batches)[0] == 0
    assert batches.calls == 2


def test_journal_of_another_input_is_rejected(ended: Any, home: Path) -> None:
    assert ended("lote", "c.csv", answer=Batches(room=1))[0] == 6
    (home / "c.csv").write_text(TABLE + "E;33000167000101\n")
    assert ended("lote", "c.csv", answer=Batches())[0] == 2


@pytest.mark.parametrize("output", ["nowhere/o.csv", "/proc/o.csv", "c.csv/o.csv"])
def test_unwritable_output_is_reported_before_any_lookup(ended: Any, home: Path, output: str) -> None:
    batches = Batches()
    assert ended("lote", "c.csv", "-o", output, answer=batches)[0] == 2
    assert batches.calls == 0


def test_another_file_in_place_of_the_journal_is_left_alone(ended: Any, home: Path) -> None:
    journal = home / "c-empresas.csv.journal"
    journal.write_text("mine" * 500)
    assert ended("lote", "c.csv", answer=Batches())[0] == 2
    assert journal.read_text() == "mine" * 500


def test_full_disk_is_reported_and_the_next_run_continues(
    ended: Any, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches = Batches()

    def fail(*_args: Any, **_kwargs: Any) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as full:
        full.setattr(Journal, "record", fail)
        code, _, err = ended("lote", "c.csv", answer=batches)
    assert (code, "disk is full" in err) == (1, True)
    assert ended("lote", "c.csv", answer=batches)[0] == 0
    assert batches.calls == 2


def test_missing_key_is_reported_before_anything_is_written(ended: Any, home: Path) -> None:
    assert ended("lote", "c.csv", key="")[0] == 3
    assert [path.name for path in home.iterdir()] == ["c.csv"]


def test_output_as_input(ended: Any, home: Path) -> None:
    (home / "c0.csv").write_text("cnpj\n33000167000101\n")
    for step in range(3):
        files = (f"c{step}.csv", "-o", f"c{step + 1}.csv")
        assert ended("lote", *files, "--coluna", "cnpj", answer=Batches())[0] == 0
    header = (home / "c3.csv").read_text(encoding="utf-8-sig").splitlines()[0].split(",")
    assert len(set(header)) == len(header)


def test_lone_surrogates_are_replaced(ended: Any, home: Path) -> None:
    (home / "c.csv").write_text("cnpj;x\n33000167000101;y\n")
    entry = {"indice": 0, "status": 200, "resposta": {**COMPANY, "razao_social": "A\ud800"}}
    broken = json.dumps({"resultados": [entry], "contadas": 1}).encode()
    assert ended("lote", "c.csv", answer=httpx.Response(200, content=broken))[0] == 0
    assert rows(home / "c-empresas.csv")[0]["razao_social"] == "A?"


def test_input_columns_of_the_same_name_are_kept(ended: Any, home: Path) -> None:
    (home / "c.csv").write_text("cnpj;razao_social\n33000167000101;Minha\n")
    assert ended("lote", "c.csv", answer=Batches())[0] == 0
    (row,) = rows(home / "c-empresas.csv")
    assert (row["razao_social"], row["brskills_razao_social"]) == ("Minha", "EMPRESA DE EXEMPLO LTDA")
