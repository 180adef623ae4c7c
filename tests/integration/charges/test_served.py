"""POST /skills/pix/conferir with ``seguir``: answers, counts and logs of a gateway, with a PSP over TLS."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import brcode
from brcode.crc import checksum
from tests.integration.gateway.service import CNPJ, PIX, Service, calls_of
from tests.integration.gateway.service import serve as serve_gateway
from tests.services.psp import Psp, cob, cobv, rec
from tests.services.site import Site, answer_of

from .conftest import HOST, LOCATION, PATH

CHECK = f"{PIX}/conferir"
PETROBRAS, UNKNOWN = "33000167000101", "23456783000118"
REC_LOCATION = f"{HOST}/rec/7c2f1a90"
BANK = {"ispb": "00000000", "nome": "BCO DO BRASIL S.A.", "participante": True}
CHARGE = {
    "tipo": "imediata",
    "status": "ATIVA",
    "txid": "fc9a4366ff3d4964b5dbc6c91a8722d3",
    "valor": "49.90",
    "modificavel": False,
    "retirada": None,
    "vencimento": None,
    "recebedor": None,
    "recorrencia": None,
}
NOT_READ: dict[str, Any] = dict.fromkeys(
    ("cobranca", "psp", "recebedor", "evidencia", "chave", "nome_recebedor")
)


@pytest.fixture(scope="session")
def service(server: Site, roots: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    settings = {
        "PIX_CA_FILE": str(roots),
        "PIX_CONNECT_TO": f"{HOST}:443:127.0.0.1:{server.port}",
        "POWERTOOLS_LOG_LEVEL": "DEBUG",
    }
    with serve_gateway(tmp_path_factory.mktemp("service"), **settings) as found:
        yield found


@pytest.fixture
def http(service: Service) -> Iterator[httpx.Client]:
    service.reset_providers()
    with service.caller() as found:
        yield found


def code(txid: str = "***", amount: str = "", **fields: Any) -> str:
    """Return a code. ``txid``, ``amount``: as some PSPs write them into dynamic codes, against the manual."""
    payee = {"merchant_name": "PETROBRAS", "merchant_city": "RIO"}
    written = brcode.encode(**{**payee, **fields}).payload[:-4]
    additional = f"05{len(txid):02}{txid}"
    written = written.replace("62070503***", f"62{len(additional):02}{additional}")
    if amount:
        written = written.replace("5802BR", f"54{len(amount):02}{amount}5802BR")
    return written + checksum(written.encode())


def check(http: httpx.Client, content: dict[str, Any], **headers: str) -> Any:
    answer = http.post(CHECK, json={"seguir": True, **content}, headers=headers)
    return answer.raise_for_status().json()


def alerts(body: dict[str, Any]) -> list[str]:
    """Return the alerts but the one on the age of recorded data, which depends on the day."""
    return [alert["codigo"] for alert in body["alertas"] if alert["codigo"] != "dado_antigo"]


def test_a_signed_charge_says_who_is_paid(http: httpx.Client, serve: Callable[..., None], psp: Psp) -> None:
    serve(psp.sign(cob()))
    body = check(http, {"brcode": code(location=LOCATION, amount="49.90")})
    assert body["cobranca"].pop("expira_em")
    assert body["cobranca"] == CHARGE
    certificate = body["assinatura"].pop("certificado")
    assert body["assinatura"] == {"estado": "valida", "motivos": []}
    assert (certificate["titular"], certificate["cnpj"]) == (HOST, "00000000000191")
    assert (certificate["organizacao"], certificate["nivel"]) == ("BANCO DO BRASIL SA", "estendida")
    assert body["psp"] == BANK
    assert (body["chave"], body["tipo_chave"], body["nome_recebedor"]) == (PETROBRAS, "cnpj", "PETROBRAS")
    assert (body["recebedor"]["cnpj"], body["nome"], alerts(body)) == (PETROBRAS, "confere", [])
    assert body["evidencia"]["fonte"] == "opencnpj"
    assert calls_of(http) == 1


def test_a_charge_with_a_due_date_names_its_receiver(http, serve, psp) -> None:
    serve(psp.sign(cobv("2099-01-05", chave="7d9f0335-8dcc-4054-9bf9-0dbd61d36906")))
    body = check(http, {"url": f"https://{LOCATION}"})
    assert (body["chave"], body["tipo_chave"]) == ("7d9f0335-8dcc-4054-9bf9-0dbd61d36906", "aleatoria")
    assert body["nome_recebedor"] == "PETROLEO BRASILEIRO S A PETROBRAS"
    assert (body["recebedor"]["cnpj"], body["nome"], alerts(body)) == (PETROBRAS, "confere", [])
    charge = body["cobranca"]
    assert (charge["tipo"], charge["valor"], charge["vencimento"]) == ("vencimento", "102.30", "2099-01-05")
    assert charge["recebedor"] == {
        "cnpj": PETROBRAS, "nome": "PETROLEO BRASILEIRO S A PETROBRAS", "nome_fantasia": "PETROBRAS",
    }  # fmt: skip


def test_a_composite_code_is_followed_at_both_addresses(http, serve, psp, server: Site) -> None:
    serve(psp.sign(cob()))
    server.answers["/rec/7c2f1a90"] = lambda: answer_of(psp.sign(rec()))
    composite = {"brcode": code(location=LOCATION, recurrence_location=REC_LOCATION)}
    body = check(http, composite)
    assert (body["cobranca"]["tipo"], body["cobranca"]["recorrencia"]["periodicidade"]) == (
        "imediata",
        "MENSAL",
    )
    assert (alerts(body), calls_of(http)) == ([], 1)
    server.answers["/rec/7c2f1a90"] = lambda: answer_of(psp.sign(rec(recebedor={"cnpj": "00000000000191"})))
    assert alerts(check(http, composite)) == ["recebedor_diverge"]
    server.answers["/rec/7c2f1a90"] = lambda: answer_of(b"", status="503 Service Unavailable")
    body = check(http, composite)
    assert body["assinatura"]["motivos"] == ["http_503"]
    assert body | NOT_READ | {"nome_recebedor": "PETROBRAS"} == body  # the name is the code's own
    assert calls_of(http) == 2


def test_a_static_code_with_a_recurrence_of_another_company(http, serve, psp, server: Site) -> None:
    serve(b"")
    server.answers["/rec/7c2f1a90"] = lambda: answer_of(psp.sign(rec()))
    both = {"brcode": code(key="00000000000191", recurrence_location=REC_LOCATION)}
    body = check(http, both)
    assert (body["chave"], body["recebedor"]["cnpj"]) == ("00000000000191", "00000000000191")  # paid now
    assert body["cobranca"]["recorrencia"]["recebedor"]["cnpj"] == PETROBRAS
    assert alerts(body)[0] == "recebedor_diverge"


def test_a_recurrence_alone(http, serve, psp, server: Site) -> None:
    serve(b"")
    server.answers["/rec/7c2f1a90"] = lambda: answer_of(psp.sign(rec()))
    body = check(http, {"url_recorrencia": REC_LOCATION})
    assert (body["cobranca"]["tipo"], body["cobranca"]["status"]) == ("recorrencia", "APROVADA")
    assert (body["chave"], body["recebedor"]["cnpj"], body["nome"]) == (None, PETROBRAS, "confere")


@pytest.mark.parametrize(
    ("charge", "fields", "expected"),
    [
        ({"status": "CONCLUIDA"}, {}, ["cobranca_paga"]),
        ({"status": "REMOVIDA_PELO_USUARIO_RECEBEDOR"}, {}, ["cobranca_removida"]),
        ({"calendario": {"criacao": "2020-01-01T00:00:00Z", "expiracao": "60"}}, {}, ["cobranca_expirada"]),
        ({"valor": {"original": "49.91"}}, {"amount": "49.90"}, ["valor_diverge"]),
        ({"valor": {"original": "49.91", "modalidadeAlteracao": 1}}, {"amount": "49.90"}, []),
        ({}, {"txid": "fc9a4366ff3d4964b5dbc6c91"}, []),
        ({}, {"txid": "PEDIDO42"}, ["txid_diverge"]),
    ],
)
def test_what_differs_or_has_ended_is_an_alert(http, serve, psp, charge, fields, expected) -> None:
    serve(psp.sign(cob(**charge)))
    assert alerts(check(http, {"brcode": code(location=LOCATION, **fields)})) == expected


def test_an_amount_of_any_form_in_the_code_is_compared(http, serve, psp) -> None:
    serve(psp.sign(cob()))
    broken = code(location=LOCATION, amount="49.90").replace("540549.90", "540549a90")
    assert alerts(check(http, {"brcode": broken})) == ["valor_diverge", "codigo_invalido"]


@pytest.mark.parametrize(
    ("body", "state", "reason", "alert"),
    [
        ("replaced", "invalida", "assinatura_errada", "assinatura_invalida"),
        ("garbage", "nao_verificavel", "resposta_ilegivel", "localizacao_indisponivel"),
    ],
)
def test_nothing_of_a_payload_without_a_valid_signature_is_shown(
    http, serve, psp, body, state, reason, alert
) -> None:
    header, _, signature = psp.sign(cob()).split(b".")
    _, other, _ = psp.sign(cob(chave="19131243000197")).split(b".")
    serve(b".".join((header, other, signature)) if body == "replaced" else b"<html>")
    found = check(http, {"url": LOCATION})
    assert found | NOT_READ == found
    assert (found["assinatura"]["estado"], found["assinatura"]["motivos"]) == (state, [reason])
    assert (alerts(found), calls_of(http)) == ([alert, "sem_evidencia"], 0)


def test_a_signed_charge_is_answered_while_the_sources_are_down(http, serve, psp, service: Service) -> None:
    serve(psp.sign(cob(chave=UNKNOWN)))
    service.providers.play("opencnpj", "500")
    body = check(http, {"url": LOCATION})
    assert (body["cobranca"]["valor"], body["recebedor"]) == ("49.90", None)
    assert (alerts(body), calls_of(http)) == (["fontes_indisponiveis"], 1)


def test_a_repetition_follows_again_five_times_at_most(http, serve, psp, server: Site) -> None:
    serve(psp.sign(cob()))
    answers = [check(http, {"url": LOCATION}, **{"Idempotency-Key": "a"}) for _ in range(7)]
    read = [body["cobranca"] is not None for body in answers]
    assert read == [True] * 6 + [False]
    assert answers[-1]["assinatura"]["motivos"] == ["consultas_demais"]
    assert sum(PATH in head for _, head in server.asked) == 6
    assert calls_of(http) == 1


def test_the_tool_follows_too(http, serve, psp) -> None:
    serve(psp.sign(cob()))
    arguments = {"url": LOCATION, "seguir": True}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
               "params": {"name": "check_pix_payee", "arguments": arguments}}  # fmt: skip
    answer = http.post("/mcp", json=message, headers={"Accept": "application/json, text/event-stream"})
    body = answer.raise_for_status().json()["result"]["structuredContent"]
    assert (body["psp"], body["recebedor"]["cnpj"]) == (BANK, PETROBRAS)


def test_logs_and_answers_hold_nothing_of_the_debtor_and_logs_no_location(http, serve, psp, service) -> None:
    before = len(service.output.read_text())
    serve(psp.sign(cob()))
    read = http.post(CHECK, json={"seguir": True, "brcode": code(location=LOCATION)})
    serve(psp.sign(cobv("2099-01-05")))
    later = http.post(CHECK, json={"seguir": True, "url": LOCATION})
    serve(b"x" * 70_000)
    http.post(CHECK, json={"seguir": True, "url": LOCATION})
    http.post(CHECK, json={"seguir": True, "url": "127.0.0.1/segredo-9d36b84f"})
    printed = service.output.read_text()[before:]
    assert printed.count(CHECK) >= 4
    debtor = ("Devedor", "52998224725", "Rua Secreta")
    for secret in (*debtor, "9d36b84f", "psp.example", PETROBRAS, "PETROLEO", "fc9a4366", "jwks.json"):
        assert secret not in printed
    for answer in (read, later):
        assert not any(secret in answer.text for secret in debtor)
        assert "9d36b84f" not in answer.text
        assert json.loads(answer.text)["assinatura"]["estado"] == "valida"


def test_without_following_the_members_are_null(http, service) -> None:
    body = http.post(CHECK, json={"brcode": code(location=LOCATION)}).raise_for_status().json()
    assert (body["cobranca"], body["assinatura"], body["psp"]) == (None, None, None)
    assert (alerts(body), calls_of(http)) == (["sem_evidencia"], 0)
    assert http.get(f"{CNPJ}/{PETROBRAS}").status_code == 200
