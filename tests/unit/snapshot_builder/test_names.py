from __future__ import annotations

import pytest

from brskills_server.snapshot_builder.sources.names import MONTH, NAMES, are_files_of_a_month, faults_in

WHOLE = dict.fromkeys(NAMES, 1)


def test_a_month_has_37_files() -> None:
    assert len(set(NAMES)) == 37
    assert {"Empresas0.zip", "Estabelecimentos9.zip", "Socios5.zip", "Simples.zip", "Cnaes.zip"} <= {*NAMES}


def test_a_whole_month_has_no_fault_whatever_lies_beside_it() -> None:
    assert faults_in("x", WHOLE | {"leia-me.pdf": 0, "Socios1.zip.part": 7, "cnpj.tar.gz": 9}) == []


def test_all_faults_are_told_at_once() -> None:
    sizes = WHOLE | {"Simples.zip": 0, "EMPRESAS0.ZIP": 5, "Socios10.zip": 5}
    del sizes["Paises.zip"], sizes["Empresas3.zip"]
    assert faults_in("2026-10", sizes) == [
        "2026-10: missing: Empresas3.zip, Paises.zip",
        "2026-10: empty: Simples.zip",
        "2026-10: unexpected: EMPRESAS0.ZIP, Socios10.zip",
    ]


def test_names_by_a_server_are_cleaned_and_counted() -> None:
    (fault,) = faults_in("x", WHOLE | {f"\x1b]0;{n}\n{'é' * 99}.zip": 1 for n in range(50)})
    assert fault.isascii()
    assert fault.isprintable()
    assert fault.endswith(", and 13 more")
    assert len(fault) < 3000


def test_a_folder_with_one_of_the_files_is_a_months() -> None:
    assert are_files_of_a_month({"Simples.zip", "x"})
    assert not are_files_of_a_month({"simples.zip", "cnpj.tar.gz"})


@pytest.mark.parametrize(
    "name", ["2026-13", "2026-00", "2026-1", "202610", "2026-10-01", "٢٠٢٦-10", "../2026-10", ""]
)
def test_what_is_not_a_month(name: str) -> None:
    assert MONTH.fullmatch(name) is None
