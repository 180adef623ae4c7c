"""Five thousand companies, faulty providers, two kills: every line is answered and counted once."""

from __future__ import annotations

import csv
import json
import random
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import openpyxl
import pytest

from taxid import cnpj
from tests.installed_client.conftest import Installed, Service
from tests.register.digits import cnpj_digits
from tests.simulator.replies import FAULTS, Fault, Reply, truth

CHANCE = 20_261_122
KILLED_AT = (1_200, 3_000)  # calls counted so far
INVALID, REPEATED, SHORTENED, LOST = 60, 100, 150, 10


def numbers(chance: random.Random, count: int, roots: range = range(10**7, 9 * 10**7)) -> list[str]:
    """Return invented numbers; the simulator reserves those that begin with 98 or 99."""
    bodies = [f"{root:08d}0001" for root in chance.sample(roots, count)]
    return [body + cnpj_digits(body) for body in bodies]


def unreliable(share: float) -> Fault:
    """Return a provider that fails for a share of its replies, in several ways."""
    chance = random.Random(CHANCE)

    def reply(provider: str, number: str) -> Reply:
        if chance.random() < share:
            return FAULTS[chance.choice(["500", "closed", "half-body", "html-200"])](provider, number)
        return truth(provider, number)

    return reply


def suppliers(file: Path) -> Counter[str]:
    """Write a table of 5,000 suppliers with the errors of spreadsheets. Return the expected results."""
    chance = random.Random(CHANCE)
    found = numbers(chance, 5_000 - INVALID - REPEATED - SHORTENED - LOST)
    short = [number.lstrip("0") for number in numbers(chance, SHORTENED, range(10**5, 10**7))]
    wrong = [f"{number[:13]}{(int(number[13]) + 1) % 10}" for number in numbers(chance, INVALID)]
    cells = [
        *(chance.choice([number, cnpj.format(number)]) for number in found),
        *short,
        *wrong,
        *chance.sample(found, REPEATED),
        *["3,30002E+13"] * LOST,
    ]
    chance.shuffle(cells)
    with file.open("w", encoding="latin-1", newline="") as sheet:
        writer = csv.writer(sheet, delimiter=";")
        writer.writerow(["Fornecedor", "CNPJ/MF", "Observação"])
        writer.writerows([f"Fornecedor {n}", cell, "=1+1"] for n, cell in enumerate(cells))
    return Counter({"encontrada": 5_000 - INVALID - LOST, "numero_invalido": INVALID + LOST})


def calls(client: Installed) -> int:
    done = client.command("uso", "--json")
    assert done.returncode == 0, done.stderr
    found: int = json.loads(done.stdout)["chamadas"]
    return found


def rows(file: Path) -> Iterator[dict[str, str]]:
    with file.open(encoding="utf-8-sig", newline="") as sheet:
        yield from csv.DictReader(sheet, delimiter=";")


@pytest.fixture
def bad_day(service: Service) -> Iterator[Service]:
    for provider, share in (("opencnpj", 0.2), ("brasilapi", 0.3), ("cnpja", 0.2)):
        service.providers.play(provider, unreliable(share))
    yield service
    for provider in ("opencnpj", "brasilapi", "cnpja"):
        service.providers.play(provider, "truth")


def test_after_two_kills_every_line_is_answered_and_counted_once(
    client: Installed, bad_day: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad_day.admin("set-plan", client.account, "pro")
    expected = suppliers(tmp_path / "fornecedores.csv")
    output, log = tmp_path / "resultado.csv", tmp_path / "log"
    asked = ("lote", "fornecedores.csv", "-o", "resultado.csv", "--rounds", "12")
    say(capsys, "\n5,000 lines, of which " + ", ".join(f"{n} {what}" for what, n in expected.items()))
    for limit in KILLED_AT:
        process = client.start(*asked, output=log)
        while process.poll() is None and calls(client) < limit:
            time.sleep(0.1)
        assert process.poll() is None, log.read_text()
        process.kill()
        process.wait()
        assert not output.exists()
        say(capsys, f"killed (SIGKILL) with {calls(client)} calls counted")
    done = client.command(*asked, "--json")
    say(capsys, done.stdout + done.stderr)
    assert done.returncode == 0, done.stderr
    answered = list(rows(output))
    results = Counter(row["resultado"] for row in answered)
    assert results == expected
    assert [row["Fornecedor"] for row in answered] == [f"Fornecedor {n}" for n in range(5_000)]
    assert all(row["razao_social"] for row in answered if row["resultado"] == "encontrada")
    assert {row["Observação"] for row in answered} == {"'=1+1"}
    paid = {row["cnpj_consultado"] for row in answered if row["resultado"] == "encontrada"}
    summary = json.loads(done.stdout)
    say(capsys, f"{len(paid)} numbers answered, {calls(client)} calls counted, {dict(results)}")
    assert calls(client) == summary["contadas"] == len(paid)
    assert not (tmp_path / "resultado.csv.journal").exists()


def test_a_used_up_quota_ends_the_run_and_a_later_run_continues(
    client: Installed, service: Service, tmp_path: Path
) -> None:
    listed = numbers(random.Random(1), 250)
    (tmp_path / "c.csv").write_text("\n".join(listed))
    first = client.command("lote", "c.csv", "--json")
    assert first.returncode == 6, first.stderr
    summary = json.loads(first.stdout)
    assert (summary["contadas"], summary["resultados"]) == (100, {"encontrada": 100, "sem_resposta": 150})
    assert summary["continuar_em"] is not None
    assert client.command("lote", "c.csv").returncode == 6
    assert calls(client) == 100
    service.admin("set-plan", client.account, "pro")
    second = client.command("lote", "c.csv", "--json")
    assert second.returncode == 0, second.stderr
    assert json.loads(second.stdout)["resultados"] == {"encontrada": 250}
    assert calls(client) == json.loads(second.stdout)["contadas"] == 250


def test_pix_codes_of_a_spreadsheet_are_counted_once(client: Installed, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    book.active.append(["Chave", "Valor", "Nome recebedor", "Cidade", "CEP"])
    for amount in (10, 20.5, 10):
        book.active.append(["SANDBOX1000170", amount, "Empresa", "São Paulo", 1001000])
    book.save(tmp_path / "cobrancas.xlsx")
    for extra in ([], ["--replace"]):
        done = client.command("lote", "cobrancas.xlsx", "--qr", "png", "--json", *extra)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["contadas"] == 2
    found = list(rows(tmp_path / "cobrancas-codigos.csv"))
    assert all("610801001000" in row["brcode"] for row in found)
    assert len({row["brcode"] for row in found}) == 2
    for row in found:
        image = tmp_path / "cobrancas-codigos-qr" / row["arquivo_qr"]
        assert image.read_bytes().startswith(b"\x89PNG")
    assert calls(client) == 4


def say(capsys: pytest.CaptureFixture[str], line: str) -> None:
    with capsys.disabled():
        print(line, flush=True)
