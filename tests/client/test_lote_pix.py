"""``brskills lote`` with Pix codes: from rows to codes and images, each counted once."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from brskills.local import create_pix_code, decode
from brskills.lote.charge import AmbiguousField, charge_columns, read_charge
from tests.client.batches import Batches
from tests.for_each import for_each

HEADER = "Cliente;Chave;Valor;Nome recebedor;Cidade;TxId;Descrição"
CHARGES = f"""{HEADER}
A;pix@exemplo.com.br;49,90;Padaria;Recife;P1;Pães
B;pix@exemplo.com.br;1.234,56;Padaria;São Paulo;P2;
C;pix@exemplo.com.br;x;Padaria;Recife;P3;
A;pix@exemplo.com.br;49,90;Padaria;Recife;P1;Pães
"""


@pytest.fixture
def charges(home: Path) -> Path:
    (home / "p.csv").write_text(CHARGES)
    return home


def rows(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8-sig", newline="") as sheet:
        return list(csv.DictReader(sheet, delimiter=";"))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (CHARGES.replace("Valor", "Cidade"), "two columns cidade"),
        (
            f'{HEADER}\nA;pix@exemplo.com.br;1;"Padaria;Recife;P1;\nB;b@exemplo.com.br;2;Padaria;Recife;P2;\n',
            "not closed",
        ),
    ],
)
def test_a_table_that_would_lose_something_is_refused(
    ended: Any, home: Path, content: str, said: str
) -> None:
    (home / "p.csv").write_text(content)
    batches = Batches()
    code, _, err = ended("lote", "p.csv", answer=batches)
    assert (code, batches.calls) == (2, 0)
    assert said in err


def test_columns_that_no_code_takes_are_named(ended: Any, home: Path) -> None:
    (home / "p.csv").write_text(CHARGES.replace("Valor", "Valro"))
    _, _, err = ended("lote", "p.csv", answer=Batches())
    assert "columns that do not go into the code: Cliente, Valro" in err


def test_an_output_in_another_format_is_refused(ended: Any, charges: Path) -> None:
    code, _, err = ended("lote", "p.csv", "-o", "p.xlsx", answer=Batches())
    assert (code, (charges / "p.xlsx").exists()) == (2, False)
    assert ".csv" in err


def test_codes_of_a_table(ended: Any, charges: Path) -> None:
    batches = Batches()
    code, out, _ = ended("lote", "p.csv", "--json", answer=batches)
    assert (code, batches.calls) == (0, 2)
    assert json.loads(out) == {
        "linhas": 4,
        "numeros": 2,
        "repetidas": 1,
        "consertadas": 0,
        "resultados": {"criado": 3, "campo_invalido": 1},
        "contadas": 2,
        "arquivo": "p-codigos.csv",
    }
    found = rows(charges / "p-codigos.csv")
    assert [row["resultado"] for row in found] == ["criado", "criado", "campo_invalido", "criado"]
    assert found[0]["brcode"] == found[3]["brcode"]
    payload = decode(found[1]["brcode"]).campos
    assert (payload.valor, payload.cidade, payload.txid) == ("1234.56", "Sao Paulo", "P2")
    assert found[1]["observacao"] == "cidade: São Paulo → Sao Paulo (transliterado)"
    assert found[2]["observacao"].startswith("valor: ")
    assert [row["Cliente"] for row in found] == ["A", "B", "C", "A"]


@pytest.mark.parametrize("fault", ["lost", "interrupted", "refused", "half silent"])
def test_after_a_failure_each_code_is_counted_once(
    ended: Any, charges: Path, waits: list[float], fault: str
) -> None:
    batches = Batches([fault])
    ended("lote", "p.csv", answer=batches)
    if fault == "interrupted":
        assert not (charges / "p-codigos.csv").exists()
        assert ended("lote", "p.csv", answer=batches)[0] == 0
    assert batches.calls == 2
    assert not (charges / "p-codigos.csv.journal").exists()


@pytest.mark.parametrize("form", ["png", "svg"])
def test_images_of_the_codes(ended: Any, charges: Path, form: str) -> None:
    code, out, _ = ended("lote", "p.csv", "--qr", form, answer=Batches())
    assert (code, "3 images written to p-codigos-qr" in out) == (0, True)
    names = [row["arquivo_qr"] for row in rows(charges / "p-codigos.csv")]
    assert names == [f"linha-00001.{form}", f"linha-00002.{form}", "", f"linha-00004.{form}"]
    files = sorted((charges / "p-codigos-qr").iterdir())
    assert [file.name for file in files] == sorted(filter(None, names))
    assert all(file.read_bytes().startswith(b"\x89PNG" if form == "png" else b"<?xml") for file in files)


@pytest.mark.parametrize(
    "line",
    [
        "pix@exemplo.com.br;;LOJA -X;Recife;;",
        "pix@exemplo.com.br;;Loja;Recife;;A,=1+1",
    ],
)
def test_codes_that_a_spreadsheet_would_run_are_not_paid_for(ended: Any, home: Path, line: str) -> None:
    (home / "p.csv").write_text(f"{HEADER}\nA;{line}\n")
    batches = Batches()
    assert ended("lote", "p.csv", answer=batches)[0] == 0
    (row,) = rows(home / "p-codigos.csv")
    assert (batches.calls, row["resultado"], row["brcode"]) == (0, "campo_invalido", "")
    assert "spreadsheets read as a formula" in row["observacao"]


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (["p.csv", "--coluna", "1"], "--coluna is only for --tipo cnpj"),
        (["p.csv", "--idade-maxima", "1"], "--idade-maxima is only for --tipo cnpj"),
        (["c.csv", "--qr", "png"], "--qr is only for --tipo pix"),
        (["c.csv", "--tipo", "pix"], "Pix columns are missing"),
        (["p.csv", "--pasta", "x"], "--qr is missing"),
        (["p.csv", "--qr", "png", "--pasta", "c.csv/x"], "c.csv/x"),
        (["p.csv", "--tipo", "cnpj"], "no column holds CNPJs"),
    ],
)
def test_options_of_another_kind(ended: Any, charges: Path, arguments: list[str], shown: str) -> None:
    batches = Batches()
    code, _, err = ended("lote", *arguments, answer=batches)
    assert (code, shown in err, batches.calls) == (2, True, 0), err


def test_no_image_without_the_library(ended: Any, charges: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("brskills.lote.places.find_spec", lambda _name: None)
    batches = Batches()
    assert ended("lote", "p.csv", "--qr", "png", answer=batches)[0] == 2
    assert batches.calls == 0


def test_the_kind_by_the_header() -> None:
    assert charge_columns(["CHAVE", "nome-recebedor", " Cidade "]) == {
        "chave": 0,
        "nome_recebedor": 1,
        "cidade": 2,
    }
    assert charge_columns(["url", "nome_recebedor", "cidade"])
    assert charge_columns(["cnpj", "nome_recebedor", "cidade"]) is None
    assert charge_columns(["chave", "cidade"]) is None


CPF, CNPJ = "00000000191", "00360305000104"


@for_each(
    ("cells", "found"),
    [
        ({"chave": "191", "tipo_chave": "CPF"}, CPF),
        ({"chave": "360305000104", "tipo_chave": "cnpj"}, CNPJ),
        ({"chave": "360305000104"}, CNPJ),
        ({"chave": "'00000000191"}, CPF),
        ({"chave": '="00360305000104"'}, CNPJ),
        ({"chave": "1132654321"}, "1132654321"),
        ({"chave": "+5511932654321"}, "+5511932654321"),
    ],
)
def test_keys_that_lost_zeros(cells: dict[str, str], found: str) -> None:
    charge, repaired = read_charge(cells)
    assert charge["chave"] == found
    assert repaired == (["chave"] if cells["chave"] in {"191", "360305000104"} else [])


@for_each(
    ("key", "code"),
    [
        ("191", "lost_zeros"),
        ("2420856104", "lost_zeros"),
        ("5511987654327", "lost_zeros"),
        ("3,3E+13", "digits_lost"),
    ],
)
def test_keys_with_more_than_one_meaning_are_refused(key: str, code: str) -> None:
    with pytest.raises(AmbiguousField) as ambiguous:
        read_charge({"chave": key})
    assert (ambiguous.value.field, ambiguous.value.code) == ("chave", code)


@for_each(
    ("name", "text", "value"),
    [
        ("cep", "1001000", "01001000"),
        ("cep", "01001-000", "01001-000"),
        ("mcc", "742", "0742"),
        ("ispb_saque", "0", "00000000"),
        ("valor", "R$ 1.234,5", "1234.5"),
        ("valor", "49.9", "49.9"),
        ("uso_unico", "Sim", True),
        ("uso_unico", "não", False),
        ("uso_unico", "talvez", "talvez"),
        ("txid", "007", "007"),
    ],
)
def test_values(name: str, text: str, value: object) -> None:
    assert read_charge({name: text})[0] == {name: value}


def test_an_invalid_flag_is_reported(ended: Any, home: Path) -> None:
    (home / "p.csv").write_text(
        "chave;nome_recebedor;cidade;uso_unico\npix@exemplo.com.br;A;B;talvez\npix@exemplo.com.br;A;B;s\n"
    )
    assert ended("lote", "p.csv", answer=Batches())[0] == 0
    invalid, valid = rows(home / "p-codigos.csv")
    assert invalid["observacao"].startswith("uso_unico: ")
    expected = create_pix_code(chave="pix@exemplo.com.br", nome_recebedor="A", cidade="B", uso_unico=True)
    assert valid["brcode"] == expected.brcode


def test_no_folder_without_a_key(ended: Any, charges: Path) -> None:
    assert ended("lote", "p.csv", "--qr", "png", key="")[0] == 3
    assert sorted(path.name for path in charges.iterdir()) == ["c.csv", "p.csv"]
