"""Offline codes equal those of the service."""

from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from brskills import InvalidFields, local
from brskills.pix import DecodedCode, PixCode
from brskills.reading import read
from brskills_server.skills.errors import InvalidRequest
from brskills_server.skills.pix.create_pix_code import CREATE_PIX_CODE, EXAMPLE_CODE
from brskills_server.skills.pix.decode_pix_code import DECODE_PIX_CODE
from brskills_server.skills.pix.fields import EMV_NAMES
from tests.services.gateway import ROOT

CALLS: dict[str, Any] = {language: SimpleNamespace(language=language) for language in ("pt", "en")}
CHARGES = st.fixed_dictionaries(
    {"nome_recebedor": st.text(min_size=1, max_size=30), "cidade": st.text(min_size=1, max_size=20)},
    optional={
        "chave": st.sampled_from(
            [
                "pix@exemplo.com.br",
                "529.982.247-25",
                "12ABC34501DE35",
                "1",
                "+5511",
                "pix@exemplo",
                "1132654321",
                "2420856104",
            ]
        ),
        "valor": st.one_of(st.decimals(0, 10**4, places=2).map(str), st.sampled_from(["1,5", "0", "x"])),
        "txid": st.text("AZaz09*-", max_size=30),
        "descricao": st.text(max_size=80),
        "mcc": st.sampled_from(["5812", "58"]),
        "url": st.just("https://pix.exemplo.com.br/qr/v2/9d36b84f"),
        "uso_unico": st.booleans(),
        "estrito": st.booleans(),
    },
)


Outcome = PixCode | list[tuple[str, str, str]]


def served(charge: dict[str, Any]) -> Outcome:
    """Return the service's code, or the field, code and text of each issue."""
    assert CREATE_PIX_CODE.prepare
    try:
        code = CREATE_PIX_CODE.prepare(charge)
    except InvalidRequest as error:
        return [(each.field, each.code, each.detail("en")) for each in error.fields]
    return read(PixCode, CREATE_PIX_CODE.content(CREATE_PIX_CODE.answer(code, CALLS["en"])))


def offline(charge: dict[str, Any]) -> Outcome:
    """Return the same, made offline."""
    try:
        return local.create_pix_code("en", **charge)
    except InvalidFields as error:
        return [(each.field, each.code, each.detail) for each in error.errors]


@given(CHARGES)
def test_codes_and_issues_equal_the_services(charge: dict[str, Any]) -> None:
    assert offline(charge) == served(charge)


@given(st.one_of(st.text(max_size=60), st.integers(0, len(EXAMPLE_CODE)).map(lambda n: EXAMPLE_CODE[n:])))
def test_decoding_equals_the_services(text: str) -> None:
    for language, call in CALLS.items():
        answer = DECODE_PIX_CODE.answer(text, call)
        assert local.decode(text, language) == read(DecodedCode, DECODE_PIX_CODE.content(answer))


def test_names_equal_the_services() -> None:
    assert local.NAMES == EMV_NAMES


def test_decoding_loads_no_network_modules() -> None:
    script = (
        "import sys, brskills.local; brskills.local.decode('x'); "
        "print({'httpx', 'tenacity', 'asyncio', 'ssl', 'socket'} & set(sys.modules))"
    )
    path = {"PYTHONPATH": f"{ROOT}/layers/shared:{ROOT}/clients/python/src"}
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env=path
    )
    assert done.stdout == "set()\n"
