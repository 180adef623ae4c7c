"""What the package offers, and what it must not drag along."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from brskills_server import registry
from brskills_server.registry.answered import Company
from brskills_server.registry.cnpj import parse_cnpj
from brskills_server.registry.errors import InvalidCnpj
from brskills_server.registry.sandbox import SANDBOX_NUMBERS, is_sandbox
from tests.simulator.clock import EPOCH
from tests.unit.registry.conftest import Bench

PACKAGE = Path(registry.__file__).parent


def test_names() -> None:
    assert registry.__all__ == [
        "Answer",
        "Company",
        "CompanyNotFound",
        "Freshness",
        "InvalidCnpj",
        "ProviderHealth",
        "Registry",
        "RegistryError",
        "SourcesUnavailable",
        "Store",
        "StoreFault",
        "build_registry",
        "day_of",
        "is_sandbox",
        "parse_cnpj",
    ]
    assert all(hasattr(registry, name) for name in registry.__all__)


FOREIGN = {"os", "logging", "boto3", "botocore", "access", "adapters", "skills", "web", "wiring"}
HTTP_AND_AWS = {"httpx", "boto3", "botocore"}
HEALTH = """
from datetime import date
from brskills_server.registry.registry import build_registry
from brskills_server.registry.snapshot_rows import Edition
from brskills_server.registry.providers import PROVIDER_IDS

class Empty:
    def state(self): return {}
    def edition(self): return Edition(date(2026, 9, 12))
    def find(self, cnpj): return None

empty = Empty()
opened = build_registry(providers=PROVIDER_IDS, urls={}, store=empty, user_agent="test", own_copy=empty)
assert [source.id for source in opened.health()] == list(PROVIDER_IDS)
"""


@pytest.mark.parametrize(
    ("statement", "unwanted"),
    [
        ("from registry import parse_cnpj, is_sandbox, Answer", {"pydantic", "asyncio", *HTTP_AND_AWS}),
        (
            "from brskills_server.registry.providers import PROVIDER_IDS\nfrom registry.store import StoreFault",
            {
                "dataclasses",
                "brskills_server.registry.answer",
                "brskills_server.registry.freshness",
                "brskills_server.registry.providers.provider",
            },
        ),
        ("from registry import Company, Registry, ProviderHealth, build_registry", HTTP_AND_AWS),
        (
            HEALTH,
            {
                "pydantic",
                "asyncio",
                "brskills_server.registry.company",
                "brskills_server.registry.look_up",
                *HTTP_AND_AWS,
            },
        ),
    ],
)
def test_importing_it_loads_only_what_is_used(statement: str, unwanted: set[str]) -> None:
    code = f"{statement}\nimport sys\nprint({unwanted!r} & set(sys.modules))"
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PACKAGE.parent
    )
    assert ran.stdout.strip() == "set()"


def test_a_name_that_it_does_not_have() -> None:
    with pytest.raises(AttributeError, match="Anything"):
        registry.Anything  # noqa: B018


def test_it_knows_neither_environment_nor_logger_nor_its_users() -> None:
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            tops = {name.partition(".")[0] for name in names}
            assert not tops & FOREIGN, path
            assert not (isinstance(node, ast.Name) and node.id == "print"), path


def test_every_field_is_described_in_portuguese_words() -> None:
    schema = Company.model_json_schema()
    for model in (schema, *schema["$defs"].values()):
        for name, field in model["properties"].items():
            assert field.get("description"), name


@pytest.mark.parametrize(
    ("given", "canonical"),
    [
        ("33.000.167/0001-01", "33000167000101"),
        (" 33000167000101 ", "33000167000101"),
        ("00000000e08g12", "00000000E08G12"),
        ("00.000.000/E08G-12", "00000000E08G12"),
        (191, "00000000000191"),
        (33000167000101, "33000167000101"),
        ("sandbox1000170", "SANDBOX1000170"),
    ],
)
def test_numbers(given: str | int, canonical: str) -> None:
    assert parse_cnpj(given) == canonical


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ("191", "invalid_cnpj"),
        ("", "invalid_cnpj"),
        ("3300016700010ı", "invalid_cnpj"),
        (True, "invalid_cnpj"),
        (-191, "invalid_cnpj"),
        (10**14, "invalid_cnpj"),
        ("33000167000102", "invalid_check_digits"),
        (192, "invalid_check_digits"),
        ("00000000000000", "invalid_check_digits"),
        (0, "invalid_check_digits"),
    ],
)
def test_no_numbers(given: str | int, code: str) -> None:
    with pytest.raises(InvalidCnpj) as error:
        parse_cnpj(given)
    assert error.value.code == code
    assert not given or str(given) not in str(error.value)


class TestSandbox:
    def test_six_numbers_with_right_check_digits(self) -> None:
        assert len(SANDBOX_NUMBERS) == 6
        for number in SANDBOX_NUMBERS:
            assert parse_cnpj(number) == number
            assert is_sandbox(number)
        assert not is_sandbox("33000167000101")

    @pytest.mark.parametrize(
        ("number", "state", "mei", "partners", "stale"),
        [
            ("SANDBOX1000170", "02", False, 3, False),
            ("SANDBOX2000114", "08", False, 1, False),
            ("SANDBOX3000169", "02", True, 0, False),
            ("SANDBOX6000100", "02", False, 1, True),
        ],
    )
    def test_companies(
        self, bench: Bench, number: str, state: str, mei: bool, partners: int, stale: bool
    ) -> None:
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

    def test_errors(self, bench: Bench) -> None:
        with pytest.raises(registry.CompanyNotFound) as missing:
            bench.look_up("SANDBOX4000103")
        assert missing.value.confirmed
        with pytest.raises(registry.SourcesUnavailable) as down:
            bench.look_up("SANDBOX5000158")
        assert down.value.retry_after == 30

    def test_a_demand_binds_the_stale_one(self, bench: Bench) -> None:
        with pytest.raises(registry.SourcesUnavailable) as error:
            bench.look_up("SANDBOX6000100", max_age=86_400)
        assert error.value.retry_after == 30
        assert bench.look_up("SANDBOX1000170", max_age=0).content()["idade_segundos"] == 0

    def test_needs_neither_network_nor_store(self, bench: Bench) -> None:
        for number in SANDBOX_NUMBERS - {"SANDBOX4000103", "SANDBOX5000158"}:
            bench.look_up(number)
        assert bench.providers.calls == []
        assert bench.store.operations == []
        assert bench.loop.clock() == EPOCH
