"""GET /api/v1/participants, and the participant that a decoded code names, over real sockets."""

import pytest

from brcode import encode

BANCO_DO_BRASIL = {
    "ispb": "00000000",
    "nome": "BCO DO BRASIL S.A.",
    "modalidade": "Provedor de Conta Transacional",
}


def test_the_list_is_open_and_revalidated(http):
    answered = http.get("/api/v1/participants")
    assert answered.status_code == 200
    assert answered.headers["Cache-Control"] == "public, max-age=3600"
    content = answered.json()
    assert set(content) == {"data", "fonte", "participantes"}
    assert BANCO_DO_BRASIL in content["participantes"]
    assert len(content["participantes"]) > 800
    again = http.get("/api/v1/participants", headers={"If-None-Match": answered.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["ETag"] == answered.headers["ETag"]
    assert http.head("/api/v1/participants").status_code == 200


def test_one_participant_is_found_by_its_ispb(http):
    content = http.get("/api/v1/participants?ispb=00000000").json()
    assert content["participantes"] == [BANCO_DO_BRASIL]
    assert content["data"] == http.get("/api/v1/participants").json()["data"]


@pytest.mark.parametrize("ispb", ["99999999", "0", "0000000", "NENHUM", "é", "null"])
def test_an_unknown_ispb_is_not_found(http, ispb):
    answered = http.get("/api/v1/participants", params={"ispb": ispb})
    assert (answered.status_code, answered.json()["code"]) == (404, "not_found")
    assert "/api/v1/participants" in answered.json()["detail"]


@pytest.mark.parametrize(
    ("query", "field", "code"),
    [
        ("isbp=00000000", "isbp", "unknown_field"),
        ("ispb=", "ispb", "empty"),
        ("ispb=00000000&ispb=00416968", "ispb", "conflicting_fields"),
    ],
)
def test_a_question_that_is_unclear_is_refused(http, query, field, code):
    answered = http.get(f"/api/v1/participants?{query}")
    assert answered.status_code == 422
    assert [(each["campo"], each["code"]) for each in answered.json()["errors"]] == [(field, code)]


@pytest.mark.parametrize(
    ("ispb", "psp"),
    [
        ("00000000", {"ispb": "00000000", "nome": "BCO DO BRASIL S.A.", "participante": True}),
        ("99999999", None),
    ],
)
def test_a_decoded_code_names_its_facilitator(http, ispb, psp):
    code = encode(
        key="pix@exemplo.com.br", withdrawal_ispb=ispb, merchant_name="Padaria", merchant_city="Recife"
    ).payload
    key = {"X-API-Key": "brsk_demo00000000000000000000000000001gbZMd"}
    assert http.post("/api/v1/skills/pix/decode", json={"brcode": code}, headers=key).json()["psp"] == psp
