"""The skill that checks a payee: a code's key and name, compared with the registry of companies."""

from collections.abc import Iterator
from datetime import date
from typing import Any

from brskills_server.registry.answer import Answer
from brskills_server.registry.dates import day_of
from brskills_server.registry.errors import CompanyNotFound, SourcesUnavailable
from brskills_server.registry.query import Query
from brskills_server.registry.sandbox import SANDBOX_DAY, SANDBOX_NUMBERS
from brskills_server.registry.tables import description
from brskills_server.skills.cnpj.look_up_company import unavailable
from brskills_server.skills.payee.alerts import ALERTS, alerts_of_company
from brskills_server.skills.payee.claim import PAYEE_SHAPES, Claim, read_claim
from brskills_server.skills.payee.names import NameMatch, compare_names
from brskills_server.skills.pix.create_pix_code import EXAMPLE_CODE
from brskills_server.skills.skill import Call, Endpoint, Model, Skill, Texts, write_plain

_OF_COMPANY = ("cnpj", "razao_social", "nome_fantasia", "situacao_cadastral", "data_inicio_atividade")
_OF_ADDRESS = ("municipio", "uf")
_EVIDENCE = ("fonte", "data_base", "consultado_em", "idade_segundos", "desatualizado")


def _answer(claim: Claim, call: Call) -> dict[str, Any]:
    found, no_evidence = None, claim.no_evidence
    if claim.cnpj:
        try:
            found = call.find_company(Query(claim.cnpj))
        except CompanyNotFound as missing:
            no_evidence = "empresa_inexistente" if missing.confirmed else "sem_evidencia:unconfirmed"
            if not missing.confirmed:
                call.session.release_absence()
        except SourcesUnavailable as failure:
            raise unavailable(failure) from None
    alerts = []
    if claim.broken:
        wording = ":other_text" if claim.broken[0] == "not_a_pix_code" else ""
        alerts.append(_alert("codigo_invalido" + wording, call, rules=", ".join(claim.broken)))
    if found is None:
        return _content(claim, [*alerts, _alert(no_evidence, call)])
    company = found.content()
    name = compare_names(claim.name or "", company["razao_social"], company["nome_fantasia"])
    return _content(
        claim, [*alerts, *_alerts(found, company, None if claim.name is None else name, call)], name, company
    )


def _alerts(
    found: Answer, company: dict[str, Any], name: NameMatch | None, call: Call
) -> Iterator[dict[str, str]]:
    code, opened, data_day = (
        company["situacao_cadastral"]["codigo"],
        company["data_inicio_atividade"],
        company["data_base"],
    )
    status = code and (description("situacoes", code) or code)  # the official text: no words of a source
    today = SANDBOX_DAY if company["cnpj"] in SANDBOX_NUMBERS else day_of(found.now)
    for alert in alerts_of_company(code, _day(opened), _day(data_day), name, today):
        yield _alert(alert, call, status=status, opened=opened, data_base=data_day)


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


def _alert(wording: str, call: Call, **parameters: Any) -> dict[str, str]:
    detail = ALERTS[wording][call.language].format(**parameters)
    return {"codigo": wording.partition(":")[0], "detalhe": detail}


def _content(
    claim: Claim,
    alerts: list[dict[str, str]],
    name: NameMatch = "desconhecido",
    company: dict[str, Any] | None = None,
) -> dict[str, Any]:
    payee = evidence = None
    if company:
        address = {field: company["endereco"][field] for field in _OF_ADDRESS}
        payee = {field: company[field] for field in _OF_COMPANY} | address
        evidence = {field: company[field] for field in _EVIDENCE}
    return {
        "chave": claim.key,
        "tipo_chave": claim.key_type,
        "nome_recebedor": claim.name,
        "recebedor": payee,
        "nome": name,
        "alertas": alerts,
        "evidencia": evidence,
    }


def _models() -> tuple[Model, Model]:
    from brskills_server.skills.payee.models import PayeeCheck, PayeeRequest  # imports pydantic

    return PayeeRequest, PayeeCheck


CHECK_PAYEE = Skill(
    name="check_pix_payee",
    scope="pix",
    texts=Texts(
        title="Conferir quem recebe",
        purpose="Lê um código Pix e, se a chave é um CNPJ, mostra a empresa que o cadastro tem com esse "
        "número, se está ativa, desde quando, e se o nome no código é um dos nomes dela.",
        use="antes de pagar um código que veio de fora, ou de publicar um.",
        avoid="para saber se a chave está registrada no DICT ou de quem é uma chave que não é CNPJ: só os bancos "
        "sabem.",
        notes="Mostra o que o cadastro informa sobre o número, não quem é o titular da conta. Leia nome e "
        "alertas: diverge não é uma acusação (uma loja pode receber por uma empresa de pagamentos); confirme "
        "com quem cobra por outro canal. Conta uma chamada quando há evidência ou ausência confirmada; caso "
        "contrário, nenhuma.",
        english="Check the payee of a Pix code, its name and CNPJ key, against the company registry before it is paid.",
        guide="""    curl -s {base}/api/v1/skills/pix/conferir -H "X-API-Key: {key}" -H 'Content-Type: application/json' \\
      -d '{"brcode": "000201…"}'

Or `{"chave", "nome_recebedor"}` in place of `brcode`. Show the user `recebedor` and each of `alertas` before they pay. `nome` compares names only: `diverge` means that the name in the code has nothing in common with the names in the registry for this number, which may be legitimate (a shop paid through a payment company): ask the user to confirm it with the payee through another channel. `parecido` and `desconhecido` (alert `nome_nao_comparado`) prove nothing: name `recebedor` to the user and ask. The check never shows that a key is registered, who owns the account, or who owns a key that is not a CNPJ. Evidence from the registry, or a confirmed absence, counts as one call.""",
    ),
    models=_models,
    shapes=PAYEE_SHAPES,
    write=write_plain,
    content=dict,
    prepare=read_claim,
    counts=lambda claim: bool(claim.cnpj) and claim.cnpj not in SANDBOX_NUMBERS,
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
