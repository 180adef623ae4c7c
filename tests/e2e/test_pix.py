"""POST /skills/pix and /skills/pix/decode."""

from __future__ import annotations

import io

import httpx
import pytest
import zxingcpp
from PIL import Image

from tests.e2e.conftest import calls

PIX = "/api/v1/skills/pix"
CHARGE = {
    "chave": "pix@exemplo.com.br",
    "valor": "49.90",
    "nome_recebedor": "Padaria São João",
    "cidade": "São Paulo",
}


def test_a_static_code_and_its_adjustments(api: httpx.Client) -> None:
    answer = api.post(PIX, json=CHARGE)
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    assert answer.json() == {
        "brcode": "00020126400014br.gov.bcb.pix0118pix@exemplo.com.br520400005303986540549.905802BR"
        "5916Padaria Sao Joao6009Sao Paulo62070503***630429C5",
        "tipo": "estatico",
        "chave": "pix@exemplo.com.br",
        "tipo_chave": "email",
        "valor": "49.90",
        "nome_recebedor": "Padaria Sao Joao",
        "cidade": "Sao Paulo",
        "txid": "***",
        "descricao": None,
        "ajustes": [
            {
                "campo": "nome_recebedor",
                "de": "Padaria São João",
                "para": "Padaria Sao Joao",
                "motivo": "transliterado",
            },
            {"campo": "cidade", "de": "São Paulo", "para": "Sao Paulo", "motivo": "transliterado"},
        ],
        "alertas": [],
    }


@pytest.mark.parametrize(("key", "code"), [("pix@exemplo", "email_sem_ponto")])
def test_a_likely_typo_is_an_alert_in_every_format(api: httpx.Client, key: str, code: str) -> None:
    charge = {**CHARGE, "chave": key}
    details = set()
    for language in ("pt-BR", "en"):
        answer = api.post(PIX, json=charge, headers={"Accept-Language": language}).json()
        (alert,) = answer["alertas"]
        assert (alert["campo"], alert["codigo"]) == ("chave", code)
        details.add(alert["detalhe"])
    assert len(details) == 2
    (item,) = api.post(f"{PIX}/lote", json={"itens": [charge]}, headers={"Accept-Language": "en"}).json()[
        "resultados"
    ]
    assert item["resposta"] == answer
    found = api.post(f"{PIX}/decode", json={"brcode": answer["brcode"]}).json()
    assert found["valido"]
    assert [finding["regra"] for finding in found["alertas"]] == [code]
    for form in ("text/plain", "image/svg+xml", "image/png"):
        headers = api.post(PIX, json=charge, headers={"Accept": form}).headers
        assert headers["x-alertas"] == f"chave;{code}"
        assert "X-Alertas" in headers["access-control-expose-headers"]
    assert "x-alertas" not in api.post(PIX, json=CHARGE, headers={"Accept": "text/plain"}).headers


@pytest.mark.parametrize("text", ["https://exemplo.com.br/pagar", " \n"])
def test_text_that_is_not_a_pix_code_is_reported_so(api: httpx.Client, text: str) -> None:
    for language in ("pt-BR", "en"):
        answer = api.post(f"{PIX}/decode", json={"brcode": text}, headers={"Accept-Language": language})
        assert answer.status_code == 200
        found = answer.json()
        assert (found["valido"], found["tipo"], found["alertas"]) == (False, None, [])
        assert [finding["regra"] for finding in found["erros"]] == ["not_a_pix_code"]
        assert "000201" in found["erros"][0]["detalhe"]


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"chave": "pix@exemplo.com.br"}, "estatico"),
        ({"chave": "pix@exemplo.com.br", "ispb_saque": "12345678"}, "saque"),
        ({"url": "pix.exemplo.com.br/qr/v2/9d36b84f"}, "dinamico"),
        ({"url_recorrencia": "pix.exemplo.com.br/rec/9d36b84f"}, "recorrencia"),
        (
            {"url_recorrencia": "pix.exemplo.com.br/rec/9d36b84f", "url": "pix.exemplo.com.br/qr/9d36"},
            "composto",
        ),
        ({"url_recorrencia": "pix.exemplo.com.br/rec/9d36b84f", "chave": "pix@exemplo.com.br"}, "composto"),
    ],
)
def test_the_fields_decide_the_kind_of_code(api: httpx.Client, fields: dict[str, str], kind: str) -> None:
    answer = api.post(PIX, json={"nome_recebedor": "Loja", "cidade": "Recife", **fields})
    assert answer.status_code == 200
    assert answer.json()["tipo"] == kind
    found = api.post(f"{PIX}/decode", json={"brcode": answer.json()["brcode"]}).json()
    assert (found["valido"], found["tipo"]) == (True, kind)


@pytest.mark.parametrize("written", ["10.0000000000000000001", "-1", "1e9999999999999999999", '"1.234,56"'])
def test_an_invalid_amount_is_refused_and_not_counted(api: httpx.Client, written: str) -> None:
    before = calls(api)
    body = (
        f'{{"chave": "pix@exemplo.com.br", "nome_recebedor": "Loja", "cidade": "Recife", "valor": {written}}}'
    )
    answer = api.post(PIX, content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422
    assert [error["campo"] for error in answer.json()["errors"]] == ["valor"]
    assert calls(api) == before


def test_eleven_digits_with_two_readings_are_refused_until_one_is_named(api: httpx.Client) -> None:
    both = {**CHARGE, "chave": "11987654374"}
    answer = api.post(PIX, json=both)
    assert answer.json()["errors"][0]["code"] == "ambiguous_key"
    assert "11987654374" not in answer.text  # errors may be logged
    assert api.post(PIX, json={**both, "tipo_chave": "cpf"}).json()["chave"] == "11987654374"
    assert api.post(PIX, json={**both, "tipo_chave": "telefone"}).json()["chave"] == "+5511987654374"


@pytest.mark.parametrize(
    "accept", ["image/png", "image/svg+xml", "text/plain", "application/json", "text/html", "*/*"]
)
def test_the_first_accepted_type_decides_the_form(api: httpx.Client, accept: str) -> None:
    code = api.post(PIX, json=CHARGE).json()["brcode"]
    answer = api.post(PIX, json=CHARGE, headers={"Accept": f"{accept}, image/webp"})
    assert answer.status_code == 200
    assert "Accept" in answer.headers["vary"]
    form = answer.headers["content-type"].split(";")[0]
    if accept in {"image/png", "image/svg+xml", "text/plain"}:
        assert form == accept
        assert answer.headers["x-ajustes"] == "nome_recebedor;transliterado, cidade;transliterado"
    else:
        assert form == "application/json"
        assert "x-ajustes" not in answer.headers
    if accept == "text/plain":
        assert answer.text == code


def test_a_scanner_reads_the_png(api: httpx.Client) -> None:
    answer = api.post(PIX, json=CHARGE, headers={"Accept": "image/png"})
    (found,) = zxingcpp.read_barcodes(Image.open(io.BytesIO(answer.content)).convert("L"))
    assert found.text == api.post(PIX, json=CHARGE).json()["brcode"]


def test_a_counted_call_has_the_rate_headers(api: httpx.Client) -> None:
    before = calls(api)
    answer = api.post(PIX, json=CHARGE)
    assert calls(api) == before + 1
    limit, remaining = answer.headers["x-ratelimit-limit"], answer.headers["x-ratelimit-remaining"]
    assert int(limit) - int(remaining) == before + 1
    assert answer.headers["ratelimit-policy"] == f'"month";q={limit}'
    assert answer.headers["ratelimit"].startswith(f'"month";r={remaining};t=')


@pytest.mark.parametrize("code", ["lixo", "0" * 4096, "ü"])
def test_any_text_is_decoded_without_being_counted(api: httpx.Client, code: str) -> None:
    before = calls(api)
    answer = api.post(f"{PIX}/decode", json={"brcode": code})
    assert answer.status_code == 200
    assert not answer.json()["valido"]
    assert all(
        {"regra", "campo", "detalhe", "referencia"} == error.keys() for error in answer.json()["erros"]
    )
    assert "x-ratelimit-limit" not in answer.headers
    assert calls(api) == before


def test_findings_come_in_the_callers_language(api: httpx.Client) -> None:
    code = api.post(PIX, json=CHARGE).json()["brcode"][:-4] + "0000"
    pt = api.post(f"{PIX}/decode", json={"brcode": code}).json()
    en = api.post(f"{PIX}/decode", json={"brcode": code}, headers={"Accept-Language": "en"}).json()
    assert [error["regra"] for error in pt["erros"]] == [error["regra"] for error in en["erros"]]
    assert pt["erros"][0]["detalhe"] != en["erros"][0]["detalhe"]
