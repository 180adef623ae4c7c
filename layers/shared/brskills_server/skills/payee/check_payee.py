"""The skill that says who would be paid: a code's key and name, held against the registry of companies.

It is counted where the registry told something: a company, or for certain that there is none.
"""

from collections.abc import Iterator
from datetime import date
from typing import Any, NamedTuple

import brcode
from brskills_server.registry.answer import Answer
from brskills_server.registry.dates import day_of
from brskills_server.registry.errors import CompanyNotFound, InvalidCnpj, SourcesUnavailable
from brskills_server.registry.number import parse_cnpj
from brskills_server.registry.query import Query
from brskills_server.registry.sandbox import SANDBOX_DAY, SANDBOX_NUMBERS
from brskills_server.registry.tables import description
from brskills_server.skills import plain
from brskills_server.skills.cnpj.look_up_company import unavailable
from brskills_server.skills.errors import InvalidRequest
from brskills_server.skills.issues import FieldIssue, issue
from brskills_server.skills.payee.alerts import alerts_of_company
from brskills_server.skills.payee.names import Verdict, compare_names
from brskills_server.skills.payee.texts import ALERTS
from brskills_server.skills.pix.create_pix_code import EXAMPLE_CODE
from brskills_server.skills.pix.fields import KeyTypeName, public_issue
from brskills_server.skills.pix.text import MAX_CODE_LENGTH, explain_empty_code
from brskills_server.skills.shape import Shape, check_shape
from brskills_server.skills.skill import Call, Endpoint, Model, Skill, Texts

__all__ = ["CHECK_PAYEE"]

_SHAPES = {
    "brcode": Shape(str, least=1, most=MAX_CODE_LENGTH),
    "chave": Shape(str),
    "tipo_chave": Shape(KeyTypeName),
    "nome_recebedor": Shape(str, most=200),
}
_OF_COMPANY = ("cnpj", "razao_social", "nome_fantasia", "situacao_cadastral", "data_inicio_atividade")
_OF_ADDRESS = ("municipio", "uf")
_EVIDENCE = ("fonte", "data_base", "consultado_em", "idade_segundos", "desatualizado")

_NOTHING_GIVEN = {"pt": "Envie brcode, ou chave.", "en": "Send brcode, or chave."}


class _Claimed(NamedTuple):
    """Who a code says is paid. ``cnpj``: the key as a canonical number, empty where it is not one.

    ``broken``: the rules that the code breaks. ``silence``: why the registry can tell nothing, if it cannot.
    """

    key: str | None
    key_type: str | None
    name: str | None
    cnpj: str
    broken: tuple[str, ...] = ()
    silence: str = ""


def _check(content: dict[str, Any]) -> _Claimed:
    issues = [*map(explain_empty_code, check_shape(_SHAPES, content))]
    given = {name for name, value in content.items() if value is not None}
    if "brcode" in given:
        others = ", ".join(sorted(given & {"chave", "tipo_chave", "nome_recebedor"}))
        if others:
            issues.append(issue("brcode", "conflicting_fields", others=others))
    elif "chave" not in given:
        issues.append(FieldIssue("brcode", "required", _NOTHING_GIVEN))
    rejected = {each.field for each in issues}
    key = None
    if "chave" in given and not rejected & {"chave", "tipo_chave"}:
        try:
            key = brcode.parse_key(content["chave"], content.get("tipo_chave"))
        except brcode.InvalidCharge as error:
            raise InvalidRequest(*issues, *map(public_issue, error.issues)) from None
    if issues:
        raise InvalidRequest(*issues)
    if key:
        return _claimed(key.value, key.type, content.get("nome_recebedor"))
    return _read(content["brcode"])


def _read(code: str) -> _Claimed:
    """Who a code says is paid, whatever else is wrong with it."""
    found = brcode.decode(code)
    fields, broken = found.fields, tuple(dict.fromkeys(finding.rule for finding in found.errors))
    if fields.key is None:
        silence = ":location" if fields.location or fields.recurrence_location else ":no_key"
        return _Claimed(None, None, fields.merchant_name, "", broken, "sem_evidencia" + silence)
    return _claimed(fields.key, fields.key_type, fields.merchant_name)._replace(broken=broken)


def _claimed(key: str, key_type: str | None, name: str | None) -> _Claimed:
    if key_type != brcode.KeyType.CNPJ:
        return _Claimed(key, key_type, name, "", silence="sem_evidencia")
    try:
        return _Claimed(key, key_type, name, parse_cnpj(key))
    except InvalidCnpj:
        return _Claimed(key, key_type, name, "", silence="sem_evidencia:check_digits")


def _answer(claimed: _Claimed, call: Call) -> dict[str, Any]:
    found, silence = None, claimed.silence
    if claimed.cnpj:
        try:
            found = call.find_company(Query(claimed.cnpj))
        except CompanyNotFound as missing:
            silence = "empresa_inexistente" if missing.confirmed else "sem_evidencia:unconfirmed"
            if not missing.confirmed:
                call.session.release_absence()
        except SourcesUnavailable as failure:
            raise unavailable(failure) from None
    alerts = (
        [_alert(_of_rules(claimed.broken), call, rules=", ".join(claimed.broken))] if claimed.broken else []
    )
    if found is None:
        return _told(claimed, [*alerts, _alert(silence, call)])
    company = found.content()
    name = compare_names(claimed.name or "", company["razao_social"], company["nome_fantasia"])
    return _told(claimed, [*alerts, *_alerts(found, company, name, call)], name, company)


def _alerts(found: Answer, company: dict[str, Any], name: Verdict, call: Call) -> Iterator[dict[str, str]]:
    status, opened, data_day = (
        company["situacao_cadastral"],
        company["data_inicio_atividade"],
        company["data_base"],
    )
    today = SANDBOX_DAY if company["cnpj"] in SANDBOX_NUMBERS else day_of(found.now)
    codes = alerts_of_company(status["codigo"], _day(opened), _day(data_day), name, today)
    for code in codes:
        yield _alert(code, call, status=_status_text(status["codigo"]), opened=opened, data_base=data_day)


def _status_text(code: str | None) -> str | None:
    """The official text of a situação: in a sentence of ours no words of a source may stand."""
    return code and (description("situacoes", code) or code)


def _of_rules(broken: tuple[str, ...]) -> str:
    return "codigo_invalido:other_text" if broken[0] == "not_a_pix_code" else "codigo_invalido"


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


def _alert(wording: str, call: Call, **parameters: Any) -> dict[str, str]:
    detail = ALERTS[wording][call.language].format(**parameters)
    return {"codigo": wording.partition(":")[0], "detalhe": detail}


def _told(
    claimed: _Claimed,
    alerts: list[dict[str, str]],
    name: Verdict = "desconhecido",
    company: dict[str, Any] | None = None,
) -> dict[str, Any]:
    return {
        "chave": claimed.key,
        "tipo_chave": claimed.key_type,
        "nome_recebedor": claimed.name,
        "recebedor": _payee(company) if company else None,
        "nome": name,
        "alertas": alerts,
        "evidencia": {field: company[field] for field in _EVIDENCE} if company else None,
    }


def _payee(company: dict[str, Any]) -> dict[str, Any]:
    address = company["endereco"]
    return {
        **{field: company[field] for field in _OF_COMPANY},
        **{field: address[field] for field in _OF_ADDRESS},
    }


def _models() -> tuple[Model, Model]:
    from brskills_server.skills.payee.models import PayeeCheck, PayeeRequest  # imports pydantic

    return PayeeRequest, PayeeCheck


CHECK_PAYEE = Skill(
    name="check_pix_payee",
    scope="pix",
    texts=Texts(
        title="Conferir quem recebe",
        purpose="Lê um código Pix e, se a chave é um CNPJ, diz que empresa o registro tem com esse número, se está "
        "ativa, desde quando, e se o nome no código é um dos dela.",
        use="antes de pagar um código que veio de fora, ou de publicar um.",
        avoid="para saber se a chave está registrada no DICT ou de quem é uma chave que não é CNPJ: só os bancos "
        "sabem.",
        notes="Diz o que o registro diz do número, não quem é o dono da conta. Leia nome e alertas: diverge não acusa "
        "ninguém (uma loja pode receber por uma empresa de pagamentos), e pede que se confirme com quem cobra por "
        "outro caminho. Conta uma chamada quando há evidência ou ausência confirmada; senão, nada.",
        english="Check the payee of a Pix code, its name and CNPJ key, against the company registry before it is paid.",
        guide="""    curl -s {base}/api/v1/skills/pix/conferir -H "X-API-Key: {key}" -H 'Content-Type: application/json' \\
      -d '{"brcode": "000201…"}'

Or `{"chave", "nome_recebedor"}` in place of `brcode`. Tell the user `recebedor` and every one of `alertas` before they pay. `nome` compares names alone: `diverge` means that the name in the code has nothing in common with those that the registry has of this number, which may be honest (a shop that is paid through a payment company): have it confirmed with whoever charges, by another way. `parecido` and `desconhecido` settle nothing. It never shows that a key is registered, whose the account is, nor whose a key is that is not a CNPJ. What the registry told, or a confirmed absence, counts as one call.""",
    ),
    models=_models,
    shapes=_SHAPES,
    write=plain.write,
    content=dict,
    prepare=_check,
    counts=lambda claimed: bool(claimed.cnpj) and claimed.cnpj not in SANDBOX_NUMBERS,
    answer=_answer,
    endpoints=(
        Endpoint("POST", "/api/v1/skills/pix/conferir", "checkPixPayee", {
            "codigo": {"brcode": EXAMPLE_CODE},
            "chave": {"chave": "SANDBOX1000170", "nome_recebedor": "Empresa de Exemplo"},
        }),
    ),
    errors=("sources_unavailable",),
    uses_external_data=True,
)  # fmt: skip
