"""The published list is read as a whole or not at all."""

import random

import pytest

from brskills_server.participants.participant_list import Participant, participant_list
from package.participants.__main__ import main
from package.participants.published_list import FEWEST, UnexpectedForm, read_published_list
from tests.for_each import for_each
from tests.unit.package.participants.pdf import Placed, cells, pdf

pytestmark = pytest.mark.thorough

COLUMNS = (
    ";Nome Reduzido;ISPB;CNPJ;Tipo de Instituição;Autorizada pelo BCB;Tipo de Participação no SPI;"
    "Tipo de Participação no Pix;Modalidade de Participação no Pix;Iniciação de Transação de Pagamento;FSS"
)
TITLE = "Lista de participantes ativos do Pix" + ";" * 10
SECOND = [
    "", "Lista de instituições em processo de adesão ao Pix",
    ";Nome Reduzido;ISPB;CNPJ;Tipo de Instituição;Status",
    "1;EM ADESÃO;99999999;;Cooperativa;Homologação",
]  # fmt: skip


def row(
    number: int, ispb: str | None = None, mode: str = "Provedor de Conta Transacional", name: str = ""
) -> str:
    ispb = f"{number:08}" if ispb is None else ispb
    name = name or f"INSTITUIÇÃO {number}"
    return f"{number};{name};{ispb};;Banco;Sim;Direta;Facultativa;{mode};Não;N/A"


def published(*rows: str, after: list[str] = SECOND) -> bytes:
    return "\r\n".join([TITLE, COLUMNS, *rows, *after]).encode("windows-1252")


ROWS = [row(number) for number in range(FEWEST)]


def test_the_active_participants_are_read_and_no_others():
    initiator = row(FEWEST, ispb="", mode="Iniciador")
    found = read_published_list(published(*ROWS, initiator))
    assert len(found) == FEWEST + 1
    assert found[0] == Participant("00000000", "INSTITUIÇÃO 0", "Provedor de Conta Transacional")
    assert found[-1] == Participant(None, f"INSTITUIÇÃO {FEWEST}", "Iniciador")


NAMES = [
    ["SCD"],
    ["CC DE LIVRE", "ADMISSÃO CENTRO-", "SUL - UNICRED"],
    ["99PAY IP", "2"],
    ["A", "B", "C", "D"],
]
KINDS = [["Provedor de Conta", "Transacional"], ["Iniciador"], ["Liquidante Especial"]]


def table(places: range) -> list[Placed]:
    """Return rows of a page; every tenth is an initiator without an ISPB."""
    drawn: list[Placed] = []
    for line, place in enumerate(places):
        ispb, kind = ([], KINDS[1]) if place % 10 == 0 else ([f"{place:08}"], KINDS[place % 3])
        drawn += cells(
            60 + 42 * line, (12, [str(place + 1)]), (30, NAMES[place % 4]), (150, ispb),
            (200, ["12.345.678/0001-90"]), (270, ["Instituição de Pagamento", "não sujeita à autorização"]),
            (360, ["Direta"]), (420, ["Facultativa"]), (560, kind), (660, ["Não"]),
        )  # fmt: skip
    return drawn


TITLES = cells(36, (30, ["Nome Reduzido"]), (150, ["ISPB"]), (560, ["Modalidade de", "Participação"]))
HEAD = [(300, 20, "Lista de participantes ativos do Pix"), *TITLES]
LAST = cells(30, (12, ["701"]), (30, ["SCD"]), (150, ["99999997"]), (560, KINDS[1]))
OTHER = cells(90, (12, ["702"]), (30, ["EM ADESÃO"]), (150, ["99999998"]), (560, ["Homologação"]))
TAIL = [*LAST, (300, 70, "Lista de instituições em processo de adesão ao Pix"), *OTHER]
PAGES = [HEAD + table(range(10)), *(table(range(place, place + 10)) for place in range(10, FEWEST, 10)), TAIL]


def test_the_pdf_is_read_as_the_csv():
    found = read_published_list(pdf([*PAGES, table(range(701, 711))]))
    assert len(found) == FEWEST + 1
    assert found[:4] == [
        Participant(None, "SCD", "Iniciador"),
        Participant("00000001", "CC DE LIVRE ADMISSÃO CENTRO-SUL - UNICRED", "Iniciador"),
        Participant("00000002", "99PAY IP 2", "Liquidante Especial"),
        Participant("00000003", "A B C D", "Provedor de Conta Transacional"),
    ]
    assert found[-1] == Participant("99999997", "SCD", "Iniciador")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"%PDF-1.4 x", "the PDF cannot be read"),
        (pdf([HEAD]), "the PDF has no table of participants"),
        (pdf(PAGES[:-2]), f"at least {FEWEST}"),
        (pdf([*PAGES[:3], *PAGES[4:]]), "expected row 31, found 41"),
        (pdf([*PAGES[:-1], [(30, 26, "SCD"), *TAIL]]), "row 701: expected cells that are centred"),
        (pdf([*PAGES[:-1], TAIL[:3]]), "row 701: expected cells that are centred"),
        (pdf([*PAGES[:-1], [*TAIL[:3], (560.0, 30.0, "Iniciador Especial")]]), "line 701: expected one of"),
    ],
)
def test_a_pdf_of_another_form_is_refused(content, said):
    with pytest.raises(ValueError, match=said):
        read_published_list(content)


def test_columns_are_found_by_name():
    order = random.Random(1).sample(range(11), 11)
    shuffled = [";".join(line.split(";")[place] for place in order) for line in (COLUMNS, *ROWS)]
    content = "\n".join([TITLE, *shuffled]).encode("windows-1252")
    assert read_published_list(content) == read_published_list(published(*ROWS))


@for_each(
    ("content", "said"),
    [
        (b"", "title"),
        (b"<html>401 Unauthorized</html>", "title"),
        (published(*ROWS).replace(b";ISPB;", b";Codigo;", 1), "columns are missing: ispb"),
        (published(*ROWS[:-1]), f"at least {FEWEST}"),
        (published(*ROWS[:300], "", *ROWS[300:], after=[]), "line 304: a participant after the end"),
        (published(*ROWS, row(1)), "twice: 00000001"),
        (published(*ROWS, row(9999, ispb="")), "line 703: expected an ISPB"),
        (published(*ROWS, row(9999, ispb="416968")), "line 703: expected an ISPB"),
        (published(*ROWS, row(9999, mode="Direta")), "line 703: expected one of"),
        (published(*ROWS, "9999; ;00009999;;Banco;Sim;Direta;;Iniciador;Não;N/A"), "703: the name"),
        (published(*ROWS, row(9999) + ";x"), "line 703: expected 11 cells, found 12"),
        (published(*ROWS, "9999;INSTITUIÇÃO;00009999"), "line 703: expected 11 cells, found 3"),
        (b"\x81" + published(*ROWS), "byte 0 is not windows-1252"),
    ],
)  # fmt: skip
def test_a_file_of_another_form_is_refused(content, said):
    with pytest.raises(UnexpectedForm, match=said):
        read_published_list(content)


@pytest.mark.parametrize(("form", "content"), [("csv", published(*ROWS)), ("pdf", pdf(PAGES[:-1]))])
def test_the_command_writes_what_the_file_says(tmp_path, form, content):
    file, to = tmp_path / f"lista-participantes-20261120.{form}", tmp_path / "participants.json"
    file.write_bytes(content)
    said = main([str(file), "--to", str(to)])
    assert said.startswith("700 participants of 2026-11-20; ")
    assert to.read_text("utf-8").startswith('{"date": "2026-11-20", "source": "Banco Central do Brasil"')
    assert to.read_text("utf-8").count("\n") == FEWEST + 2


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("lista.csv", published(*ROWS), "expected the day"),
        ("lista-20261399.csv", published(*ROWS), "month must be in"),
        ("lista-20261120.csv", b"", "expected the title"),
        ("lista-20261120.csv", None, "No such file"),
    ],
)
def test_the_command_leaves_the_list_alone_otherwise(tmp_path, capsys, name, content, said):
    file, to = tmp_path / name, tmp_path / "participants.json"
    to.write_text("before")
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(SystemExit) as ended:
        main([str(file), "--to", str(to)])
    assert ended.value.code == 1
    written = capsys.readouterr().err
    assert said in written
    assert written.endswith("The list was not changed.\n")
    assert to.read_text() == "before"


def test_the_releases_list_has_whom_people_know():
    listed = participant_list()
    assert listed.find("00000000") == Participant(
        "00000000", "BCO DO BRASIL S.A.", "Provedor de Conta Transacional"
    )
    assert sum(each.ispb is None for each in listed.participants) == 18
    assert listed.find("99999999") is None
