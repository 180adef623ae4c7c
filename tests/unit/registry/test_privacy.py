"""CPFs never come through whole."""

import json
import re
from decimal import Decimal
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from brskills_server.registry.free_text import clean_text
from brskills_server.registry.privacy import hide_cpfs, person_document
from brskills_server.registry.providers import REMOTE_IDS
from brskills_server.registry.providers.catalogue import PROVIDERS
from brskills_server.registry.providers.reader import read_record
from tests.for_each import for_each
from tests.simulator.companies import company
from tests.simulator.dialects import DIALECTS

CPF = "11144477735"


@for_each(
    ("text", "hidden"),
    [
        (f"FULANO DE TAL {CPF}", "FULANO DE TAL ***444777**"),
        ("FULANO 111.444.777-35", "FULANO ***444777**"),
        ("FULANO 111 444 777 35", "FULANO ***444777**"),
        (f"FULANO{CPF}", "FULANO***444777**"),
        (f"{CPF} E {CPF}", "***444777** E ***444777**"),
        (f"a{CPF}@example.com", "a***444777**@example.com"),
        ("12.345.678 FULANO DE TAL", "12.345.678 FULANO DE TAL"),
        ("GRUPO 12.345.678/0001-95", "GRUPO 12.345.678/0001-95"),
        ("GRUPO 12345678000195", "GRUPO 12345678000195"),
        ("***444777**", "***444777**"),
        ("FULANO 111\u2013444\u2013777\u201335", "FULANO ***444777**"),
        ("FULANO 111\u2212444\u2212777\u221236", "FULANO ***444777**"),  # also with wrong check digits
        ("FULANO 111\xa0444\u2009777\u202f35", "FULANO ***444777**"),
        ("FULANO 1 1 1 4 4 4 7 7 7 3 5", "FULANO ***444777**"),
        ("FULANO 111 . 444 . 777 - 35 SP", "FULANO ***444777** SP"),
        ("FULANO 111,444,777;35", "FULANO ***444777**"),
        ("FULANO 111_444*777/35", "FULANO ***444777**"),
        (
            "FULANO \uff11\uff11\uff11.\uff14\uff14\uff14.\uff17\uff17\uff17-\uff13\uff15",
            "FULANO ***444777**",
        ),
        ("FULANO \u0661\u0661\u0661\u0664\u0664\u0664\u0667\u0667\u0667\u0663\u0665", "FULANO ***444777**"),
        ("FULANO \u2460\u2460\u2460444777\u00b35", "FULANO ***444777**"),
        ("SALA 12 111 444 777 35", "SALA 12 ***444777**"),
        ("***444777** 12345", "***444777** 12345"),
        ("12345 ***444777**", "12345 ***444777**"),
        ("TEL (11) 98765-4319", "TEL (11) 98765-4319"),
        ("TEL (11) 99000-0002", "TEL (11) 99000-0002"),  # with the check digits of a CPF
        ("CEP 20031-170 SALA 301", "CEP 20031-170 SALA 301"),
        ("GRUPO 12.345.678 / 0001\u201395", "GRUPO 12.345.678 / 0001\u201395"),
        ("111A444B777C35", "111A444B777C35"),
        ("SALAS 301 302 303 04", "SALAS 301 302 303 04"),
        ("JOAO 111.444.777/35", "JOAO ***444777**"),
        ("JOAO 00011144477735", "JOAO ***444777**"),  # padded to the length of a CNPJ
        ("BANCO 00000000000191", "BANCO 00000000000191"),
    ],
)
def test_hides_cpfs_and_nothing_else(text: str, hidden: str) -> None:
    assert hide_cpfs(text) == hidden


@given(st.text(), st.from_regex(r"[0-9]{11}", fullmatch=True), st.text())
def test_no_eleven_digits_stay(before: str, cpf: str, after: str) -> None:
    text = hide_cpfs(f"{before} {cpf} {after}")
    assert not re.search(rf"(?<!\d){cpf}(?!\d)", text)
    assert hide_cpfs(text) == text


def _is_no_mask(separator: str) -> bool:
    return "**" not in separator  # in which a masked number ends


@given(
    st.lists(
        st.text(st.characters(exclude_categories=["L", "N", "Cs"]), max_size=3).filter(_is_no_mask),
        min_size=10,
        max_size=10,
    ),
    st.sampled_from([0x30, 0x660, 0x966, 0xFF10, 0x1D7CE]),
)
def test_a_cpf_is_hidden_with_any_separators(between: list[str], zero: int) -> None:
    digits = [chr(zero + int(digit)) for digit in CPF]
    written = "".join(digit + separator for digit, separator in zip(digits, [*between, ""], strict=True))
    hidden = clean_text(f"FULANO {written} SA")
    assert hidden == "FULANO ***444777** SA"


@for_each(
    ("written", "shown"),
    [
        (CPF, "***444777**"),
        ("111.444.777-35", "***444777**"),
        ("***444777**", "***444777**"),
        ("***.444.777-**", "***444777**"),
        ("111\u2013444\u200b777 35", "***444777**"),
        ("\uff11\uff11\uff11444777\u0663\u0665", "***444777**"),
        ("CPF 11144477735", None),
        ("***000000**", None),
        ("", None),
        ("unknown", None),
    ],
)
def test_documents_of_people(written: str, shown: str | None) -> None:
    assert person_document(written) == shown


def poison(value: Any) -> Any:
    """The same answer with CPFs and hidden characters in every text, and CPFs as documents of people."""
    if isinstance(value, dict):
        return {key: poison(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [poison(inner) for inner in value]
    if isinstance(value, str) and re.fullmatch(r"\*{3}\d{6}\*{2}", value):
        return CPF
    return f"{value} \u202e{CPF}\u200b" if isinstance(value, str) and re.search("[A-Z]{3}", value) else value


@for_each("provider", REMOTE_IDS)
def test_no_provider_lets_a_cpf_or_a_hidden_character_through(provider: str) -> None:
    known = poison(company("11222333000181"))
    known["cnpj"] = "11222333000181"
    known["situacao_cadastral"]["descricao"] = "ATIVA"
    known["socios"][0]["tipo"] = known["socios"][1]["tipo"] = "PF"
    answer = json.loads(json.dumps(DIALECTS[provider](known)), parse_float=Decimal)
    assert CPF in str(answer)
    record = read_record(PROVIDERS[provider], answer).model_dump_json()
    assert "***444777**" in record
    assert not [hidden for hidden in (CPF, "\u202e", "\u200b") if hidden in record]
