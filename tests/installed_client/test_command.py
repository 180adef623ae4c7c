"""The command and the library against a running service."""

from __future__ import annotations

import json
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from tests.installed_client.conftest import Installed
from tests.services.gateway import ROOT

SANDBOX = "sandbox.brskills.example/pix/v2"
CHARGE = ("--chave", "SANDBOX1000170", "--nome-recebedor", "Empresa de Exemplo", "--cidade", "São Paulo")


def test_without_service_and_key(alone: Installed, tmp_path: Path) -> None:
    made = alone.command("pix", "--local", *CHARGE, "--valor", "49.90", "--png", tmp_path / "qr.png")
    assert made.returncode == 0, made.stderr
    assert "São Paulo → Sao Paulo" in made.stderr
    assert (tmp_path / "qr.png").read_bytes().startswith(b"\x89PNG")
    read = alone.command("decode", "--local", "--json", given=made.stdout)
    assert read.returncode == 0
    assert json.loads(read.stdout)["campos"]["valor"] == "49.90"
    assert alone.command("decode", "--local", made.stdout.strip()[:-1]).returncode == 5


def test_a_key_is_stored_and_never_shown(client: Installed) -> None:
    file = client.home / ".config/brskills/key"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    key = file.read_text().strip()
    again = client.command("chave")
    assert again.returncode == 2
    for done in (again, client.command("uso"), client.command("uso", "--json")):
        assert key not in done.stdout + done.stderr
    file.chmod(0o644)
    assert client.command("uso").returncode == 3


def test_calls_and_their_count(client: Installed) -> None:
    made = client.command("pix", *CHARGE)
    assert made.returncode == 0, made.stderr
    checked = client.command("conferir", "--json", given=made.stdout)
    payee = json.loads(checked.stdout)
    assert (checked.returncode, payee["nome"], payee["recebedor"]["cnpj"]) == (0, "confere", "SANDBOX1000170")
    assert client.command("decode", made.stdout.strip()).returncode == 0
    company = client.command("cnpj", "SANDBOX1000170")
    assert (company.returncode, "EMPRESA DE EXEMPLO LTDA" in company.stdout) == (0, True)
    assert client.command("cnpj", "SANDBOX4000103").returncode == 4
    assert client.command("cnpj", "SANDBOX1000171", "--json").returncode == 2
    assert json.loads(client.command("uso", "--json").stdout)["chamadas"] == 1


@pytest.mark.parametrize(
    ("location", "state", "charge", "alert"),
    [
        (f"{SANDBOX}/valida", "valida", True, "psp_desconhecido"),
        (f"{SANDBOX}/expirada", "valida", True, "cobranca_expirada"),
        (f"{SANDBOX}/assinatura-errada", "invalida", False, "assinatura_invalida"),
        ("localhost/x", "nao_verificavel", False, "localizacao_indisponivel"),
    ],
)
def test_a_location_is_followed(
    client: Installed, location: str, state: str, charge: bool, alert: str
) -> None:
    code = client.command("pix", "--local", "--url", location, *CHARGE[2:]).stdout
    for given in (("--seguir", code.strip()), ("--url", location)):
        done = client.command("conferir", *given)
        assert done.returncode == 5, done.stderr
        assert done.stdout.startswith(f"assinatura: {state}")
        assert ("cobranca: imediata, ATIVA" in done.stdout, "razao_social: " in done.stdout) == (
            charge,
            charge,
        )
        assert f"[{alert}]" in done.stdout
    answer = json.loads(client.command("conferir", "--seguir", "--json", given=code).stdout)
    assert (answer["assinatura"]["estado"], answer["cobranca"] is not None) == (state, charge)
    assert "cobranca" not in client.command("conferir", given=code).stdout


def test_the_library_alone(client: Installed) -> None:
    key = client.home / ".config/brskills/key"
    script = f"""
import asyncio, pathlib
from brskills import AsyncClient, Client, CompanyNotFound, InvalidFields
key = pathlib.Path({str(key)!r}).read_text().strip()
with Client(key) as client:
    print(client.company("SANDBOX1000170").capital_social + 1)
    for number, kind in (("SANDBOX4000103", CompanyNotFound), ("1", InvalidFields)):
        try:
            client.company(number)
        except kind as error:
            print(type(error).__name__, error.status)
    batch = client.create_pix_codes([
        {{"chave": "pix@exemplo.com.br", "nome_recebedor": "A", "cidade": "B"}}, {{"chave": "x"}},
    ])
    print([type(each).__name__ for each in batch.resultados], batch.contadas)
async def ask():
    async with AsyncClient(key) as client:
        found, usage = await asyncio.gather(client.company("SANDBOX3000169"), client.usage())
        print(found.mei.optante, usage.chamadas)
        signed = await client.conferir(url="{SANDBOX}/valida", seguir=True)
        print(signed.assinatura.estado, signed.cobranca.valor + 1, signed.cobranca.expira_em.tzinfo)
asyncio.run(ask())
"""
    assert client.python(script).splitlines() == [
        "250001.00",
        "CompanyNotFound 404",
        "InvalidFields 422",
        "['PixCode', 'InvalidFields'] 1",
        "True 1",
        "valida 50.90 UTC",
    ]


def test_status_and_completion(client: Installed, alone: Installed) -> None:
    done = client.command("status", "--json")
    assert (done.returncode, json.loads(done.stdout)["status"]) == (0, "operational")
    assert alone.command("status", "--service", "http://127.0.0.1:9").returncode == 7
    assert "complete " in alone.command("completion", "bash").stdout


def test_an_unreachable_service(alone: Installed) -> None:
    done = Installed(alone.bin, alone.home, {"BRSKILLS_API_KEY": "k", "BRSKILLS_URL": "http://127.0.0.1:9"})
    failed = done.command("uso", "--timeout", "1")
    assert (failed.returncode, "Traceback" in failed.stderr) == (7, False)
    assert alone.command("uso").returncode == 3


def test_the_example(client: Installed) -> None:
    key = (client.home / ".config/brskills/key").read_text().strip()
    known = replace(client, settings={**client.settings, "BRSKILLS_API_KEY": key})
    printed = known.python((ROOT / "examples/client.py").read_text())
    assert printed.startswith("000201")
    assert "\nEMPRESA DE EXEMPLO LTDA\nnot in the register\n" in printed
