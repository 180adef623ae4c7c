"""The code tables compared with what is officially published of them.

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
from tests.for_each import for_each

NOT_INFORMED = "8888888"  # Receita's own code among the CNAEs


def table(name: str) -> dict[str, str]:
    path = Path(registry.__file__).parent / "tables" / f"{name}.json"
    pairs: list[tuple[str, str]] = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=list)
    assert len({code for code, _ in pairs}) == len(pairs), "a code occurs twice"
    return dict(pairs)


@pytest.mark.parametrize(
    ("name", "width", "size", "code", "text"),
    [
        ("cnaes", 7, None, "6911701", "Serviços advocatícios"),
        ("cnaes", 7, None, NOT_INFORMED, "Atividade Econônica não informada"),
        ("faixas_etarias", 1, 9, "9", "mais de 80 anos"),  # 0 has no text: it does not apply
        ("motivos", 2, 64, "32", "INEXISTENTE DE FATO - ADE/COSAR"),
        ("municipios_siafi", 4, 5569 + 2 + 1, "7107", "SAO PAULO"),  # and one code for abroad
        ("naturezas_juridicas", 4, 91, "2062", "Sociedade Empresária Limitada"),
        ("paises", 3, 255 + 19, "105", "BRASIL"),  # Banco Central: 1058
        ("paises", 3, 255 + 19, "452", "MADEIRA, ILHA DA"),  # 4525
        ("portes", 2, 4, "03", "EMPRESA DE PEQUENO PORTE"),
        ("paises", 3, 255 + 19, "150", "JERSEY, ILHA DO CANAL"),  # Serpro
        ("qualificacoes_socio", 2, 69, "49", "Sócio-Administrador"),
        ("qualificacoes_socio", 2, 69, "36", "Gerente-Delegado"),
        ("situacoes", 2, 6, "08", "BAIXADA"),
        ("situacoes", 2, 6, "05", "ATIVA NÃO REGULAR"),
    ],
)
def test_codes_have_their_digits_and_a_text(name, width, size, code, text) -> None:
    assert tables.width(name) == width
    assert (tables.description(name, code), tables.code_of(name, text)) == (text, code)
    found = table(name)
    assert size in {None, len(found)}
    for known, official in found.items():
        assert known.isascii()
        assert known.isdecimal()
        assert len(known) == width
        assert official == official.strip() != ""
        same = tables.code_of(name, official)  # the lower of two codes with one text
        assert tables.fold(tables.description(name, str(same)) or "") == tables.fold(official)


def test_each_municipality_of_ibge_has_one_of_siafi() -> None:
    """A name in several states occurs once for each, so each of IBGE's codes belongs to one key."""
    codes = table("municipios_ibge")
    known = set(codes.values())
    assert len(known) == 5571  # with Brasília and Fernando de Noronha
    assert len(table("municipios_siafi").keys() - {key[:4] for key in codes}) == 1  # abroad
    alone = [code for key, code in codes.items() if len(key) == 4]
    assert len(set(alone)) == len(alone)
    shared = {key: code for key, code in codes.items() if len(key) == 6}
    assert len({(code, key[4:]) for key, code in shared.items()}) == len(set(shared.values()))
    assert not known & set(alone) & set(shared.values())


@for_each(
    ("siafi", "state", "ibge"),
    [("7107", "SP", "3550308"), ("9701", "DF", "5300108"), ("5625", "ES", "3201308"), ("9707", "EX", None)],
)
def test_municipalities_by_siafi(siafi: str, state: str, ibge: str | None) -> None:
    assert tables.ibge_code(siafi, state) == ibge


def test_cnaes_are_those_of_ibge() -> None:
    subclasses = table("cnaes").keys() - {NOT_INFORMED}
    # Head offices and street vendors have classes of IBGE's, but no registration is made under them.
    official = subclasses | {"7010700", "4790300"}
    numbers = [len({code[:digits] for code in official}) for digits in (2, 3, 4, 5)]
    assert numbers == [87, 285, 673, 673]  # the fifth digit follows from the four before it


def test_the_check_digit_of_a_natureza_juridica() -> None:
    for code in table("naturezas_juridicas"):
        weighted = sum(weight * int(digit) for weight, digit in zip((4, 3, 2), code, strict=False))
        assert int(code[3]) == -weighted % 11 % 10, code
