"""The code tables beside what is officially published of them.

- CNAE 2 (IBGE, CONCLA): 87 divisions, 285 groups, 673 classes; the fifth digit of a class is a check
  digit of the four before it.
- Tabela de Natureza Jurídica (CONCLA): the fourth digit is a check digit, modulo 11.
- Municipalities (IBGE, 2025): 5,569, besides Brasília and Fernando de Noronha.
- Country codes (Banco Central): Receita's three digits and a check digit, as in 1058 for Brazil.
- The monthly dump of CNPJ (Receita Federal): what its own tables have and lack; for what they lack, Serpro,
  which runs the register, and for 452 Banco Central's table of before 2018.
"""

import json
from pathlib import Path

import pytest

from brskills_server import registry
from brskills_server.registry import tables

IBGE = "municipios_ibge"
FILES = {path.stem: path for path in (Path(registry.__file__).parent / "tables").glob("*.json")}
WIDTHS = {
    "cnaes": 7,
    "faixas_etarias": 1,
    "motivos": 2,
    "municipios_siafi": 4,
    "naturezas_juridicas": 4,
    "paises": 3,
    "portes": 2,
    "qualificacoes_socio": 2,
    "situacoes": 2,
}
NOT_INFORMED = "8888888"  # Receita's own code among the CNAEs


def table(name: str) -> dict[str, str]:
    pairs: list[tuple[str, str]] = json.loads(FILES[name].read_text(encoding="utf-8"), object_pairs_hook=list)
    assert len({code for code, _ in pairs}) == len(pairs), "a code occurs twice"
    return dict(pairs)


def test_each_municipality_of_ibge_has_one_of_siafi() -> None:
    """A name in several states occurs once for each, so each of IBGE's codes belongs to one key."""
    codes = table(IBGE)
    known = set(codes.values())
    assert len(known) == 5571  # with Brasília and Fernando de Noronha
    assert len(table("municipios_siafi").keys() - {key[:4] for key in codes}) == 1  # abroad
    alone = [code for key, code in codes.items() if len(key) == 4]
    assert len(set(alone)) == len(alone)
    shared = {key: code for key, code in codes.items() if len(key) == 6}
    assert len({(code, key[4:]) for key, code in shared.items()}) == len(set(shared.values()))
    assert not known & set(alone) & set(shared.values())


@pytest.mark.parametrize(
    ("siafi", "state", "ibge"),
    [
        ("7107", "SP", "3550308"),
        ("6001", "RJ", "3304557"),
        ("9701", "DF", "5300108"),
        ("5625", "ES", "3201308"),
        ("9707", "EX", None),
    ],
)
def test_municipalities_by_siafi(siafi: str, state: str, ibge: str | None) -> None:
    assert tables.ibge_code(siafi, state) == ibge


@pytest.mark.parametrize(("name", "width"), WIDTHS.items())
def test_codes_have_their_digits_and_a_text(name: str, width: int) -> None:
    assert tables.width(name) == width
    for code, text in table(name).items():
        assert code.isascii()
        assert code.isdecimal()
        assert len(code) == width
        assert text == text.strip() != ""
        assert tables.description(name, code) == text


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("municipios_siafi", 5569 + 2 + 1),  # and one code for abroad
        ("naturezas_juridicas", 91),
        ("qualificacoes_socio", 68),
        ("motivos", 64),
        ("paises", 255 + 18),
        ("situacoes", 5),
        ("portes", 4),
        ("faixas_etarias", 9),  # and 0, which has no text: it does not apply
    ],
)
def test_sizes(name: str, size: int) -> None:
    assert len(table(name)) == size


def test_cnaes_are_those_of_ibge() -> None:
    subclasses = table("cnaes").keys() - {NOT_INFORMED}
    # Head offices and street vendors have classes of IBGE's, but no registration is made under them.
    official = subclasses | {"7010700", "4790300"}
    assert len({code[:2] for code in official}) == 87
    assert len({code[:3] for code in official}) == 285
    assert len({code[:5] for code in official}) == 673
    assert len({code[:4] for code in official}) == 673  # the fifth digit follows from these


def test_the_check_digit_of_a_natureza_juridica() -> None:
    for code in table("naturezas_juridicas"):
        weighted = sum(weight * int(digit) for weight, digit in zip((4, 3, 2), code, strict=False))
        assert int(code[3]) == -weighted % 11 % 10, code


@pytest.mark.parametrize(
    ("name", "code", "text"),
    [
        ("cnaes", "6911701", "Serviços advocatícios"),
        ("cnaes", NOT_INFORMED, "Atividade Econônica não informada"),
        ("naturezas_juridicas", "2062", "Sociedade Empresária Limitada"),
        ("qualificacoes_socio", "49", "Sócio-Administrador"),
        ("motivos", "32", "INEXISTENTE DE FATO - ADE/COSAR"),
        ("municipios_siafi", "7107", "SAO PAULO"),
        ("paises", "105", "BRASIL"),  # Banco Central: 1058
        ("paises", "452", "MADEIRA, ILHA DA"),  # 4525
        ("situacoes", "08", "BAIXADA"),
        ("portes", "03", "EMPRESA DE PEQUENO PORTE"),
        ("faixas_etarias", "9", "mais de 80 anos"),
    ],
)
def test_known_codes(name: str, code: str, text: str) -> None:
    assert (tables.description(name, code), tables.code_of(name, text)) == (text, code)


@pytest.mark.parametrize("name", ["naturezas_juridicas", "qualificacoes_socio", "motivos"])
def test_every_text_finds_a_code_with_that_text(name: str) -> None:
    for text in table(name).values():
        code = tables.code_of(name, text)
        assert tables.fold(tables.description(name, str(code)) or "") == tables.fold(text)
