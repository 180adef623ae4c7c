"""POST /skills/pix and /skills/pix/decode."""

import base64
import io

import httpx
import pytest
import zxingcpp
from PIL import Image

from tests.e2e.conftest import PIX, calls, counting, problem

CHARGE = {
    "chave": "pix@exemplo.com.br", "valor": "49.90", "nome_recebedor": "Padaria São João",
    "cidade": "São Paulo",
}  # fmt: skip
ADJUSTMENTS = [
    {
        "campo": "nome_recebedor",
        "de": "Padaria São João",
        "para": "Padaria Sao Joao",
        "motivo": "transliterado",
    },
    {"campo": "cidade", "de": "São Paulo", "para": "Sao Paulo", "motivo": "transliterado"},
]
PLACE = "pix.exemplo.com.br/rec/9d36b84f"


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
        "ajustes": ADJUSTMENTS,
        "alertas": [],
    }


@pytest.mark.parametrize("path", [PIX, f"{PIX}/decode", f"{PIX}/conferir", f"{PIX}/lote"])
def test_fields_in_the_address_are_refused_by_name_and_not_counted(api: httpx.Client, path: str) -> None:
    with counting(api, 0):
        refused = api.post(f"{path}?valor=49.90&x", json=CHARGE)
    errors = problem(refused, 422, "invalid_fields")["errors"]
    assert {(error["campo"], error["code"]) for error in errors} == {
        ("valor", "unknown_field"), ("x", "unknown_field"),
    }  # fmt: skip


def test_a_likely_typo_is_an_alert_in_every_format(api: httpx.Client) -> None:
    charge, code = {**CHARGE, "chave": "pix@exemplo"}, "email_sem_ponto"
    pt, en = (api.post(PIX, json=charge, headers={"Accept-Language": x}).json() for x in ("pt-BR", "en"))
    assert [(alert["campo"], alert["codigo"]) for alert in en["alertas"]] == [("chave", code)]
    assert pt["alertas"][0]["detalhe"] != en["alertas"][0]["detalhe"]
    batch = api.post(f"{PIX}/lote", json={"itens": [charge]}, headers={"Accept-Language": "en"}).json()
    assert [item["resposta"] for item in batch["resultados"]] == [en]
    found = api.post(f"{PIX}/decode", json={"brcode": en["brcode"]}).json()
    assert (found["valido"], [finding["regra"] for finding in found["alertas"]]) == (True, [code])
    for form in ("text/plain", "image/svg+xml", "image/png"):
        headers = api.post(PIX, json=charge, headers={"Accept": form}).headers
        assert headers["x-alertas"] == f"chave;{code}"
        assert "X-Alertas" in headers["access-control-expose-headers"]
    assert "x-alertas" not in api.post(PIX, json=CHARGE, headers={"Accept": "text/plain"}).headers


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"chave": "pix@exemplo.com.br"}, "estatico"),
        ({"chave": "pix@exemplo.com.br", "ispb_saque": "12345678"}, "saque"),
        ({"url": "pix.exemplo.com.br/qr/v2/9d36b84f"}, "dinamico"),
        ({"url_recorrencia": PLACE}, "recorrencia"),
        ({"url_recorrencia": PLACE, "chave": "pix@exemplo.com.br"}, "composto"),
    ],
)
def test_the_fields_decide_the_kind_of_code(api: httpx.Client, fields: dict[str, str], kind: str) -> None:
    answer = api.post(PIX, json={"nome_recebedor": "Loja", "cidade": "Recife", **fields})
    assert (answer.status_code, answer.json()["tipo"]) == (200, kind)
    found = api.post(f"{PIX}/decode", json={"brcode": answer.json()["brcode"]}).json()
    assert (found["valido"], found["tipo"]) == (True, kind)


def test_an_invalid_amount_is_refused_and_not_counted(api: httpx.Client) -> None:
    payee = '"chave": "pix@exemplo.com.br", "nome_recebedor": "Loja", "cidade": "Recife"'
    with counting(api, 0):
        for written in ("10.0000000000000000001", "-1", "1e9999999999999999999", '"1.234,56"'):
            body = f'{{{payee}, "valor": {written}}}'
            answer = api.post(PIX, content=body, headers={"Content-Type": "application/json"})
            assert answer.status_code == 422
            assert [error["campo"] for error in answer.json()["errors"]] == ["valor"]


def test_eleven_digits_with_two_readings_are_refused_until_one_is_named(api: httpx.Client) -> None:
    both = {**CHARGE, "chave": "11987654374"}
    answer = api.post(PIX, json=both)
    assert answer.json()["errors"][0]["code"] == "ambiguous_key"
    assert "11987654374" not in answer.text  # errors may be logged
    assert api.post(PIX, json={**both, "tipo_chave": "cpf"}).json()["chave"] == "11987654374"
    assert api.post(PIX, json={**both, "tipo_chave": "telefone"}).json()["chave"] == "+5511987654374"


@pytest.mark.parametrize("accept", ["image/png", "image/svg+xml", "text/plain", "text/html", "*/*"])
def test_the_accepted_type_decides_the_form(api: httpx.Client, accept: str) -> None:
    code = api.post(PIX, json=CHARGE).json()["brcode"]
    answer = api.post(PIX, json=CHARGE, headers={"Accept": f"{accept}, image/webp"})
    assert answer.status_code == 200
    assert "Accept" in answer.headers["vary"]
    form = answer.headers["content-type"].split(";")[0]
    if accept in {"text/html", "*/*"}:
        assert (form, "x-ajustes" in answer.headers) == ("application/json", False)
        return
    assert form == accept
    assert answer.headers["x-ajustes"] == "nome_recebedor;transliterado, cidade;transliterado"
    if accept == "text/plain":
        assert answer.text == code


def test_a_scanner_reads_the_png(api: httpx.Client) -> None:
    answer = api.post(
        PIX, json=CHARGE, headers={"Accept": "image/png"}
    )  # MiniStack decodes for one type alone
    (found,) = zxingcpp.read_barcodes(Image.open(io.BytesIO(answer.content)).convert("L"))
    assert found.text == api.post(PIX, json=CHARGE).json()["brcode"]


def test_a_counted_call_has_the_rate_headers(api: httpx.Client) -> None:
    answer = api.post(PIX, json=CHARGE)
    limit, remaining = answer.headers["x-ratelimit-limit"], answer.headers["x-ratelimit-remaining"]
    assert int(limit) - int(remaining) == calls(api)
    assert answer.headers["ratelimit-policy"] == f'"month";q={limit}'
    assert answer.headers["ratelimit"].startswith(f'"month";r={remaining};t=')


def test_any_text_is_decoded_without_being_counted(api: httpx.Client) -> None:
    with counting(api, 0):
        for code in ("lixo", "0" * 4096, "ü", "https://exemplo.com.br/pagar", " \n"):
            answer = api.post(f"{PIX}/decode", json={"brcode": code})
            found = answer.json()
            assert (answer.status_code, found["valido"]) == (200, False)
            assert all(
                {"regra", "campo", "detalhe", "referencia"} == error.keys() for error in found["erros"]
            )
            assert "x-ratelimit-limit" not in answer.headers
        assert (found["tipo"], found["erros"][0]["regra"]) == (None, "not_a_pix_code")


def test_findings_come_in_the_callers_language(api: httpx.Client) -> None:
    code = {"brcode": api.post(PIX, json=CHARGE).json()["brcode"][:-4] + "0000"}
    pt = api.post(f"{PIX}/decode", json=code).json()["erros"]
    en = api.post(f"{PIX}/decode", json=code, headers={"Accept-Language": "en"}).json()["erros"]
    assert [error["regra"] for error in pt] == [error["regra"] for error in en]
    assert pt[0]["detalhe"] != en[0]["detalhe"]


def test_the_json_answer_holds_the_qr_on_demand(api: httpx.Client) -> None:
    code = api.post(PIX, json={**CHARGE, "qr": "png", "qr_tamanho": 4, "qr_margem": 2}).json()
    image = Image.open(io.BytesIO(base64.b64decode(code["qr"])))
    (symbol,) = zxingcpp.read_barcodes(image.convert("L"))
    assert (symbol.text, code["qr_tamanho"], code["qr_margem"]) == (code["brcode"], 4, 2)
    headers = {"Accept": "image/png"}
    alone = api.post(PIX, json={**CHARGE, "qr": "svg", "qr_tamanho": 4, "qr_margem": 2}, headers=headers)
    assert alone.content == base64.b64decode(code["qr"])


def test_of_several_accepted_types_the_one_with_the_greatest_weight_is_answered(api: httpx.Client) -> None:
    for accept, form in {
        "image/svg+xml;q=0.5, text/plain;q=0.9": "text/plain",
        "text/plain;q=0.2, application/json;q=0.8": "application/json",
    }.items():
        answer = api.post(PIX, json=CHARGE, headers={"Accept": accept})
        assert answer.headers["content-type"].split(";")[0] == form
