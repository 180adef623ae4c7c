"""The sandbox companies."""

import json
import re

import pytest

from brskills_server.registry.company import Company
from brskills_server.registry.registry import parse_cnpj
from brskills_server.registry.sandbox import SANDBOX_NUMBERS
from tests.simulator.clock import EPOCH
from tests.unit.registry.conftest import Bench


def test_six_numbers_with_right_check_digits() -> None:
    assert len(SANDBOX_NUMBERS) == 6
    for number in SANDBOX_NUMBERS:
        assert parse_cnpj(number) == number


@pytest.mark.parametrize(
    ("number", "state", "mei", "partners", "stale"),
    [
        ("SANDBOX1000170", "02", False, 3, False),
        ("SANDBOX2000114", "08", False, 1, False),
        ("SANDBOX3000169", "02", True, 0, False),
        ("SANDBOX6000100", "02", False, 1, True),
    ],
)
def test_companies(bench: Bench, number: str, state: str, mei: bool, partners: int, stale: bool) -> None:
    answer = bench.look_up(number)
    company = Company.model_validate_json(answer.json())
    assert (company.cnpj, company.fonte) == (number, "sandbox")
    assert company.situacao_cadastral.codigo == state
    assert company.mei is not None
    assert company.mei.optante is mei
    assert len(company.socios) == partners
    assert company.desatualizado is stale
    assert company.idade_segundos == (30 * 86_400 if stale else 0)
    assert answer.json() == company.model_dump_json()
    assert list(answer.content().items()) == list(json.loads(answer.json()).items())
    assert answer.etag == bench.look_up(number).etag
    assert not re.search(r"(?<!\d)\d{11}(?!\d)", answer.text)


def test_exceptions(bench: Bench) -> None:
    assert bench.missing("SANDBOX4000103").confirmed
    assert bench.unavailable("SANDBOX5000158").retry_after == 30
    assert bench.unavailable("SANDBOX6000100", max_age=86_400).retry_after == 30
    assert bench.look_up("SANDBOX1000170", max_age=0).age == 0
    assert (bench.providers.calls, bench.store.operations) == ([], [])
    assert bench.loop.clock() == EPOCH
