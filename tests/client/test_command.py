"""The command, run in this process."""

from __future__ import annotations

import json
import re
import stat
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from brskills.command.commands import commands
from brskills.command.language import language_of, texts_in
from brskills.command.texts import TEXTS
from brskills_server.proofs.keys import ProofKeys
from brskills_server.proofs.proof import ProvenRequest, write_proof
from brskills_server.skills.pix.create_pix_code import EXAMPLE_CODE
from tests.client.answering import COMPANY, KEY, Service, json_answer, problem
from tests.for_each import for_each
from tests.services.store import in_memory

NAMES = tuple(commands(texts_in("en"), "en"))


@pytest.mark.parametrize("language", ["pt", "en"])
def test_help_is_in_one_language(ended: Any, language: str) -> None:
    foreign = "Usage:|Options:|OPTIONS|Show this|Commands:" if language == "pt" else "Uso:|Opções|Mostra"
    for name in ("", *NAMES):
        code, out, _ = ended(*([name] if name else []), "--help", "--lang", language)
        assert code == 0
        assert not re.search(foreign, out)


def test_texts_have_the_same_placeholders_in_both_languages() -> None:
    for key, texts in TEXTS.items():
        assert all(texts), key
        assert len({frozenset(re.findall(r"{(\w+)}", text)) for text in texts}) == 1, key


@for_each(
    ("arguments", "environment", "language"),
    [
        ([], {"LANG": "pt_BR.UTF-8"}, "pt"),
        ([], {"LANG": "pt_BR.UTF-8", "LC_ALL": "en_US"}, "en"),
        ([], {"LANG": "C"}, "en"),
        (["uso", "--lang=en"], {"LANG": "pt_BR"}, "en"),
        (["--lang"], {"LANG": "pt_BR"}, "en"),
    ],
)
def test_the_language(arguments: list[str], environment: dict[str, str], language: str) -> None:
    assert language_of(arguments, environment) == language


MISUSES = [
    "", "--bogus", "bogus", "cnpj", "cnpj 191 --idade-maxima x", "lote nowhere.csv", "uso --key-file nowhere",
    "uso --service ftp://x", "uso --timeout nan", "pix --local --chave x",
]  # fmt: skip


@pytest.mark.parametrize("arguments", MISUSES)
@pytest.mark.parametrize("language", ["pt", "en"])
def test_usage_errors_exit_with_2(ended: Any, arguments: str, language: str) -> None:
    code, out, err = ended(*arguments.split(), "--lang", language)
    assert code == 2
    assert err
    if language == "pt":
        assert not re.search("missing|Got unexpected|valid integer|No such command|Usage", out + err)


@pytest.mark.parametrize("arguments", [["--lang"], ["uso", "--timeout"], ["uso", "--json=1"]])
def test_misused_option_is_named(ended: Any, arguments: list[str]) -> None:
    code, _, err = ended(*arguments)
    assert (code, arguments[-1].partition("=")[0] in err) == (2, True)


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (problem(422, "invalid_fields", errors=[{"campo": "cnpj", "code": "x", "detail": "d"}]), 2),
        (problem(400, "malformed_json"), 2),
        (problem(413, "body_too_large"), 2),
        (problem(401, "invalid_api_key"), 3),
        (problem(403, "demo_key"), 3),
        (problem(404, "company_not_found", confirmado=False, data_base=None), 4),
        (problem(429, "quota_exceeded", {"Retry-After": "9"}), 6),
        (problem(429, "throttled"), 7),
        (problem(503, "sources_unavailable"), 7),
        (httpx.ConnectError("…"), 7),
        (httpx.Response(200, content=b"<html>"), 1),
        (problem(418, "teapot"), 1),
    ],
)
def test_exit_codes(ended: Any, answer: Any, code: int) -> None:
    for extra in ([], ["--json"]):
        ended_with, out, err = ended("cnpj", "191", *extra, answer=answer)
        assert (ended_with, out) == (code, "")
        if extra:
            assert json.loads(err)["exit"] == code


def test_company_as_text_and_json(ended: Any) -> None:
    code, out, _ = ended("cnpj", "SANDBOX1000170", answer=json_answer(COMPANY))
    assert code == 0
    assert "razao_social: EMPRESA DE EXEMPLO LTDA" in out
    code, out, _ = ended("cnpj", "SANDBOX1000170", "--json", answer=json_answer(COMPANY))
    company = json.loads(out)
    assert (company["capital_social"], company["data_base"]) == ("250000.00", "2026-11-01")


@pytest.mark.parametrize(
    "extra", [["--png", "nowhere/qr.png"], ["--svg", "nowhere/qr.svg"], ["--png", "qr.png"]]
)
def test_no_call_if_a_picture_cannot_be_written(
    ended: Any, extra: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if "qr.png" in extra:
        monkeypatch.setitem(sys.modules, "segno", None)
    service = Service(problem(418, "teapot"))
    assert ended("pix", "--chave", "a@example.com", *extra, answer=service)[0] == 2
    assert service.requests == []


def test_empty_key_file_is_not_replaced_by_another_key(ended: Any, home: Path) -> None:
    (home / "empty").touch(0o600)
    service = Service(problem(418, "teapot"))
    assert ended("uso", "--key-file", "empty", answer=service)[0] == 3
    assert service.requests == []


def test_control_characters_are_escaped(ended: Any) -> None:
    _, out, _ = ended("decode", "--local", "0002\x1b[2J\x07")
    assert "\x1b" not in out
    assert "\x07" not in out


def test_offline_codes(ended: Any) -> None:
    charge = ("--chave", "a@example.com", "--nome-recebedor", "A", "--cidade", "B", "--reutilizavel")
    code, out, _ = ended("pix", "--local", *charge, key="")
    assert (code, out.startswith("000201010211")) == (0, True)
    code, out, _ = ended("decode", "--local", "--json", given=out, key="")
    assert (code, json.loads(out)["campos"]["uso_unico"]) == (0, False)
    assert ended("decode", "--local", EXAMPLE_CODE[:-1], key="")[0] == 5


@pytest.mark.parametrize("language", ["pt", "en"])
@pytest.mark.parametrize(
    ("written", "amount"),
    [
        ("49,90", "49.90"),
        ("49,9", "49.90"),
        ("0,01", "0.01"),
        ("1.234,56", "1234.56"),
        ("1234,56", "1234.56"),
        ("1.234.567,8", "1234567.80"),
        ("49.90", "49.90"),
        ("1234", "1234.00"),
    ],
)
def test_amounts_with_a_decimal_comma(ended: Any, language: str, written: str, amount: str) -> None:
    charge = ("--local", "--chave", "a@example.com", "--nome-recebedor", "A", "--cidade", "B")
    code, out, _ = ended("pix", *charge, "--valor", written, "--json", "--lang", language, key="")
    assert (code, json.loads(out)["valor"]) == (0, amount)


@pytest.mark.parametrize(
    ("written", "language", "shown"),
    [
        ("1,234", "pt", "1234,00"),
        ("1,234", "en", "1234.00"),
        ("1.234", "pt", "1234.00"),
        ("1,234,567", "pt", "49.90"),
        ("12.34,56", "pt", "49.90"),
        ("49,", "pt", "49.90"),
        ("0,00", "pt", "maior que zero"),
    ],
)
def test_ambiguous_amounts_are_refused(ended: Any, written: str, language: str, shown: str) -> None:
    service = Service(problem(418, "teapot"))
    charge = ("--local", "--chave", "a@example.com", "--nome-recebedor", "A", "--cidade", "B")
    code, _, err = ended("pix", *charge, "--valor", written, "--lang", language, key="", answer=service)
    assert (code, shown in err) == (2, True), err
    assert service.requests == []


def test_an_ambiguous_amount_is_refused_before_it_is_sent(ended: Any) -> None:
    service = Service(problem(418, "teapot"))
    assert ended("pix", "--chave", "a@example.com", "--valor", "1,234", answer=service)[0] == 2
    assert service.requests == []


def test_alerts_go_to_standard_error(ended: Any) -> None:
    charge = ("--nome-recebedor", "A", "--cidade", "B", "--chave")
    code, out, err = ended("pix", "--local", *charge, "1132654321", key="")
    assert code == 0
    assert out.startswith("000201")
    assert "landline" in err
    assert "landline" not in ended("pix", "--local", *charge, "11932654321", key="")[2]


def test_payee_with_alerts_exits_with_5(ended: Any) -> None:
    content: dict[str, Any] = {
        "chave": "x",
        "tipo_chave": "email",
        "nome_recebedor": "A",
        "recebedor": None,
        "nome": "desconhecido",
        "alertas": [{"codigo": "sem_evidencia", "detalhe": "…"}],
        "evidencia": None,
    }
    assert ended("conferir", EXAMPLE_CODE, answer=json_answer(content))[0] == 5
    assert ended("conferir", EXAMPLE_CODE, answer=json_answer({**content, "alertas": []}))[0] == 0


@pytest.mark.parametrize(
    ("codes", "strict", "lenient"),
    [(["nome_nao_comparado"], 5, 0), (["nome_nao_comparado", "empresa_recente"], 5, 5), ([], 0, 0)],
)
def test_a_name_that_is_not_compared_may_be_accepted(
    ended: Any, codes: list[str], strict: int, lenient: int
) -> None:
    content: dict[str, Any] = {
        "chave": "SANDBOX1000170",
        "tipo_chave": "cnpj",
        "nome_recebedor": "PIX",
        "recebedor": None,
        "nome": "desconhecido",
        "alertas": [{"codigo": code, "detalhe": "…"} for code in codes],
        "evidencia": None,
    }
    answer = json_answer(content)
    assert ended("conferir", EXAMPLE_CODE, answer=answer)[0] == strict
    assert ended("conferir", EXAMPLE_CODE, "--aceitar-desconhecido", answer=answer)[0] == lenient


SIGNED: dict[str, Any] = {
    "chave": "SANDBOX1000170",
    "tipo_chave": "cnpj",
    "nome_recebedor": "EMPRESA",
    "recebedor": None,
    "nome": "desconhecido",
    "alertas": [],
    "evidencia": None,
    "cobranca": {
        "tipo": "vencimento",
        "status": "ATIVA",
        "txid": "a",
        "valor": "49.90",
        "modificavel": False,
        "vencimento": "2026-12-01",
        "expira_em": "2026-12-31T03:00:00Z",
        "recebedor": {"cnpj": "SANDBOX1000170", "nome": "EMPRESA", "nome_fantasia": None},
        "retirada": {"tipo": "troco", "valor": "20.00", "modificavel": False},
        "recorrencia": {
            "id": "RR",
            "periodicidade": "MENSAL",
            "inicio": None,
            "fim": None,
            "valor": None,
            "valor_minimo": "10.00",
            "retentativa": "NAO_PERMITE",
            "objeto": "Clube",
        },
    },
    "assinatura": {
        "estado": "valida",
        "motivos": ["thumbprint_em_base64"],
        "certificado": {
            "titular": "pix.example",
            "organizacao": "BANCO S.A.",
            "cnpj": None,
            "emissor": "AC",
            "valido_ate": "2027-01-01T00:00:00Z",
            "nivel": "organizacao",
        },
    },
    "psp": {"ispb": "00000000", "nome": "BANCO", "participante": True},
}


def test_what_a_psp_signed_is_shown_before_the_payee(ended: Any) -> None:
    code, out, _ = ended("conferir", "--seguir", EXAMPLE_CODE, answer=json_answer(SIGNED))
    assert code == 0
    assert out.splitlines()[:11] == [
        "assinatura: valida, thumbprint_em_base64",
        "certificado: pix.example, BANCO S.A., organizacao",
        "psp: BANCO (00000000)",
        "cobranca: vencimento, ATIVA",
        "valor: 49.90",
        "vencimento: 2026-12-01",
        "expira_em: 2026-12-31 03:00:00+00:00",
        "retirada: troco, 20.00",
        "recebedor: EMPRESA, SANDBOX1000170",
        "recorrencia: Clube, MENSAL, NAO_PERMITE",
        "valor_minimo: 10.00",
    ]
    invalid = {**SIGNED["assinatura"], "estado": "invalida", "motivos": ["assinatura_errada"]}
    unread = {**SIGNED, "cobranca": None, "psp": None, "assinatura": invalid}
    lines = ended("conferir", EXAMPLE_CODE, answer=json_answer(unread))[1].splitlines()
    assert lines[:2] == ["assinatura: invalida, assinatura_errada", "chave: SANDBOX1000170"]


@pytest.mark.parametrize(
    ("options", "sent"),
    [
        (("--seguir", "000201"), {"brcode": "000201", "seguir": True}),
        (("--url", "x.example/a"), {"url": "x.example/a", "seguir": True}),
        (("--url-recorrencia", "x.example/a"), {"url_recorrencia": "x.example/a", "seguir": True}),
        (("000201",), {"brcode": "000201"}),
    ],
)
def test_a_location_is_followed_if_named(ended: Any, options: tuple[str, ...], sent: dict[str, Any]) -> None:
    service = Service(json_answer(SIGNED))
    assert ended("conferir", *options, answer=service)[0] == 0
    assert json.loads(service.requests[0].content) == sent


def test_fields_with_one_text_are_named_on_one_line(ended: Any) -> None:
    errors = [{"campo": name, "code": "too_broad", "detail": "Too broad."} for name in ("nome", "raiz")]
    shown = ended("cnpj", "x", answer=Service(problem(422, "invalid_fields", errors=errors)))[2]
    assert "  nome, raiz: Too broad." in shown.splitlines()


def test_empty_key_option_is_sent(ended: Any) -> None:
    service = Service(problem(422, "invalid_fields", errors=[]))
    assert ended("conferir", "--chave", "", answer=service, given=EXAMPLE_CODE)[0] == 2
    assert json.loads(service.requests[0].content) == {"chave": ""}


def test_key_file_is_private_and_not_overwritten(ended: Any, home: Path) -> None:
    issued = json_answer({"api_key": KEY, "id": "acc_1", "plano": "free", "limite_mensal": 100}, 201)
    code, out, _ = ended("chave", answer=issued, key="")
    file = home / "home" / "key"
    assert (code, "acc_1" in out) == (0, True)
    assert (file.read_text(), stat.S_IMODE(file.stat().st_mode)) == (f"{KEY}\n", 0o600)
    assert ended("chave", answer=issued, key="")[0] == 2
    service = Service(problem(401, "invalid_api_key"))
    assert ended("uso", answer=service, key="")[0] == 3
    assert service.requests[0].headers["x-api-key"] == KEY
    file.chmod(0o640)
    code, _, err = ended("uso", answer=service, key="")
    assert (code, "chmod 600" in err) == (3, True)
    assert len(service.requests) == 1


def test_new_key_without_a_limit(ended: Any) -> None:
    issued = json_answer({"api_key": KEY, "id": "acc_1", "plano": "free", "limite_mensal": None}, 201)
    code, out, _ = ended("chave", answer=issued, key="")
    assert (code, "no limit" in out) == (0, True)


def test_usage_as_text(ended: Any) -> None:
    month = {"plano": "free", "mes": "2026-11", "chamadas": 4, "limite": 100, "restantes": 96}
    usage = {**month, "reinicia_em": "2026-12-01T00:00:00-03:00", "historico": []}
    _, out, _ = ended("uso", "--lang", "pt", answer=json_answer(usage))
    assert out == "2026-11: 4 de 100 chamadas; restam 96; a cota renova em 01/12/2026 (plano free)\n"
    _, out, _ = ended("uso", "--lang", "en", answer=json_answer({**usage, "limite": None, "restantes": None}))
    assert out == "2026-11: 4 calls, no limit (plan free)\n"


def test_rejected_sign_up_leaves_no_file(ended: Any, home: Path) -> None:
    assert ended("chave", answer=problem(429, "signup_limit", {"Retry-After": "9"}), key="")[0] == 6
    assert not (home / "home" / "key").exists()
    assert ended("uso", key="")[0] == 3


def test_a_proof_is_verified_without_network(ended: Any, tmp_path: Path) -> None:
    keys = ProofKeys(in_memory())
    request = ProvenRequest("GET", "/api/v1/skills/cnpj/x", b"", "req-1", "acc_1")
    proof = write_proof('{"cnpj": "x"}', request, "https://api.example", keys.signing_key(), 1_795_000_000)
    files = {"keys": json.dumps({"keys": keys.public_keys()}), "proof": proof, "forged": proof[:-4] + "AAAA"}
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    given = ("--chaves", str(tmp_path / "keys"))
    code, out, _ = ended("verificar", str(tmp_path / "proof"), *given, answer=AssertionError)
    assert (code, out.splitlines()[0], 'resposta: {"cnpj": "x"}' in out) == (0, "valid proof", True)
    assert ended("verificar", "-", *given, answer=AssertionError, given=proof)[0] == 0
    code, out, err = ended("verificar", str(tmp_path / "forged"), *given, answer=AssertionError)
    assert (code, out, err.startswith("invalid proof")) == (5, "", True)
    served = json_answer({"keys": keys.public_keys()})
    assert ended("verificar", str(tmp_path / "proof"), answer=served)[0] == 0
    for broken in ("proof", "absent"):
        assert (
            ended("verificar", str(tmp_path / "proof"), "--chaves", str(tmp_path / broken), answer=served)[0]
            == 2
        )
