"""The register's copy built and answered from by what is installed, and nobody outside is asked."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import httpx
import pytest

from tests.register import company
from tests.register.defects import ALL, spread
from tests.register.files import Month, write_month
from tests.services.package import WITH_COPY, bare, served

pytestmark = pytest.mark.parametrize("name", [WITH_COPY], indirect=True)

DAY = date(2026, 9, 12)
PIX = {"chave": "pix@exemplo.com.br", "valor": "49.90", "nome_recebedor": "Padaria", "cidade": "São Paulo"}

WATCH = """
import os, sys
from pathlib import Path

def watch(event, arguments):
    asked = {"socket.getaddrinfo": arguments[:1], "socket.connect": arguments[1:2]}.get(event)
    if asked and "127.0.0.1" not in str(asked):
        with Path(os.environ["ASKED"]).open("a") as file:
            print(event, *asked, file=file)

sys.addaudithook(watch)
"""


@pytest.fixture(scope="module")
def month(tmp_path_factory: pytest.TempPathFactory) -> Month:
    """Zip files with every kind of damage."""
    companies = list(company.companies(seed=1, count=300))
    return write_month(tmp_path_factory.mktemp("zips"), companies, DAY, spread(ALL.values(), companies))


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What builder and server may write to."""
    return tmp_path_factory.mktemp("state")


@contextmanager
def nobody_is_asked(folder: Path) -> Iterator[dict[str, str]]:
    """An environment for Python in which each name or address that is not this machine's is written down."""
    (folder / "sitecustomize.py").write_text(WATCH)
    yield {"PYTHONPATH": str(folder), "ASKED": str(folder / "asked")}
    assert not (folder / "asked").exists(), (folder / "asked").read_text()


def run(
    installed: Path, state: Path, *arguments: str | Path, **more: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [installed / "bin/brskills-copy", *arguments],
        cwd="/",
        env={**bare(state), "REGISTRY_COPY": str(state / "receita"), **more},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def built(installed: Path, state: Path, month: Month, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the month in place."""
    with nobody_is_asked(tmp_path_factory.mktemp("watched")) as watched:
        result = run(installed, state, "build", month.folder, **watched)
    assert result.returncode == 0, result.stderr
    assert result.stdout.endswith(f"the snapshot of {DAY} is in place\n")
    return state / "receita"


def test_a_server_that_asks_nobody_answers_from_it(
    installed: Path, built: Path, month: Month, tmp_path: Path
) -> None:
    settings = {"REGISTRY_PROVIDERS": "receita", "REGISTRY_COPY": str(built)}
    with nobody_is_asked(tmp_path) as watched, served(installed, tmp_path, **settings, **watched) as base:
        key = httpx.post(f"{base}/api/v1/keys").json()["api_key"]
        with httpx.Client(base_url=f"{base}/api/v1/skills", headers={"X-API-Key": key}) as client:
            for number, record in list(month.records().items())[:20]:
                answer = client.get(f"cnpj/{number}")
                found = answer.json()
                assert (answer.status_code, found["fonte"], found["data_base"]) == (200, "receita", str(DAY))
                assert found["razao_social"] == record["razao_social"]
            unknown = client.get("cnpj/11222333000181").json()
            assert (unknown["code"], unknown["confirmado"]) == ("company_not_found", False)
            assert client.get(f"cnpj/{min(month.lost)}").json()["code"] == "sources_unavailable"
            assert client.post("pix", json=PIX).status_code == 200


def test_what_is_kept_is_told_and_there_is_nothing_to_go_back_to(
    installed: Path, state: Path, built: Path
) -> None:
    assert run(installed, state, "list").stdout.split()[:3] == [str(DAY), "in", "place"]
    assert (built / str(DAY) / "report.json").stat().st_size
    back = run(installed, state, "rollback")
    assert (back.returncode, back.stderr) == (1, "there is no snapshot beside the one in place\n")


def test_the_same_zips_are_not_read_again(installed: Path, state: Path, built: Path, month: Month) -> None:
    assert "was built from these very files" in run(installed, state, "build", month.folder).stdout
