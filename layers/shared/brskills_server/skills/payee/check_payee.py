"""The skill that checks a payee: a code's key and name, compared with the registry of companies."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any

from brskills_server.charges.sandbox_locations import SANDBOX_LOCATIONS, VALID_LOCATION
from brskills_server.registry.answer import Answer
from brskills_server.registry.dates import day_of
from brskills_server.registry.errors import CompanyNotFound, SourcesUnavailable
from brskills_server.registry.query import Query
from brskills_server.registry.sandbox import SANDBOX_DAY, SANDBOX_NUMBERS
from brskills_server.registry.tables import description
from brskills_server.skills.cnpj.look_up_company import is_counted_absence, unavailable
from brskills_server.skills.payee.alerts import ALERTS, alerts_of_company
from brskills_server.skills.payee.claim import HOSTS_DIFFER, PAYEE_SHAPES, Claim, read_claim
from brskills_server.skills.payee.followed import Followed, follow_claim
from brskills_server.skills.payee.names import NameMatch, compare_names
from brskills_server.skills.pix.create_pix_code import EXAMPLE_CODE
from brskills_server.skills.skill import Call, Endpoint, Model, Skill, Texts, write_plain

_OF_COMPANY = ("cnpj", "razao_social", "nome_fantasia", "situacao_cadastral", "data_inicio_atividade")
_OF_ADDRESS = ("municipio", "uf")
_WORDINGS = {"not_a_pix_code": ":other_text"} | {
    rule: f":{rule}" for rule in (HOSTS_DIFFER, "several_codes", "code_altered")
}
"""The wording of ``codigo_invalido`` for rules that need one."""

_EVIDENCE = ("fonte", "data_base", "consultado_em", "idade_segundos", "desatualizado")


def _answer(asked: Claim, call: Call) -> dict[str, Any]:
    followed = follow_claim(asked, call.follow, datetime.now(UTC))
    claim, members = followed.claim, followed.as_answer()
    if any(claim.locations) and not (followed.charge or claim.cnpj):
        call.session.release()  # nothing was read
    found, no_evidence = _look_up(followed, call)
    alerts = [_alert(wording, call, **parameters) for wording, parameters in followed.alerts]
    if claim.repaired:
        alerts.append(_alert("codigo_reparado", call, reasons=", ".join(claim.repaired)))
    if claim.broken:
        wording = next((_WORDINGS[rule] for rule in claim.broken if rule in _WORDINGS), "")
        alerts.append(_alert("codigo_invalido" + wording, call, rules=", ".join(claim.broken)))
    if claim.has_unread_recurrence:
        alerts.append(_alert("sem_evidencia:recurrence", call))
    if found is None:
        return _content(claim, [*alerts, _alert(no_evidence, call)]) | members
    company = found.content()
    name = compare_names(claim.name or "", company["razao_social"], company["nome_fantasia"])
    alerts += _alerts(followed, found, company, None if claim.name is None else name, call)
    return _content(claim, alerts, name, company) | members


def _look_up(followed: Followed, call: Call) -> tuple[Answer | None, str]:
    """Return the payee's company, or the alert that says why there is none. Raise ``ApiError``."""
    claim = followed.claim
    if not claim.cnpj:
        return None, claim.no_evidence
    try:
        return call.find_company(Query(claim.cnpj)), ""
    except CompanyNotFound as missing:
        if missing.confirmed:
            return None, "empresa_inexistente"
        counts = not followed.charge and is_counted_absence(call.session)
        return None, "sem_evidencia:counted" if counts else "sem_evidencia:unconfirmed"
    except SourcesUnavailable as failure:
        if followed.charge:
            return None, "fontes_indisponiveis"
        raise unavailable(failure) from None


def _alerts(
    followed: Followed, found: Answer, company: dict[str, Any], name: NameMatch | None, call: Call
) -> Iterator[dict[str, str]]:
    code, opened, data_day = (
        company["situacao_cadastral"]["codigo"],
        company["data_inicio_atividade"],
        company["data_base"],
    )
    status = code and (description("situacoes", code) or code)  # the official text: no words of a source
    today = SANDBOX_DAY if company["cnpj"] in SANDBOX_NUMBERS else day_of(found.now)
    receiver = followed.charge and followed.charge.receiver
    of_psp = bool(receiver and receiver.name and receiver.name == followed.claim.name)
    recurring = followed.is_recurring
    for alert in alerts_of_company(code, _day(opened), _day(data_day), name, today, recurring, of_psp):
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


def _counts(claim: Claim) -> int:
    """Count a company or a location, but for those of the sandbox."""
    company = bool(claim.cnpj) and claim.cnpj not in SANDBOX_NUMBERS
    return int(company or any(location and location not in SANDBOX_LOCATIONS for location in claim.locations))


def _models() -> tuple[Model, Model]:
    from brskills_server.skills.payee.models import PayeeCheck, PayeeRequest  # imports pydantic

    return PayeeRequest, PayeeCheck


CHECK_PAYEE = Skill(
    name="check_pix_payee",
    scope="pix",
    texts=Texts(
        title="Conferir quem recebe",
        purpose="Lê um código Pix e, se a chave é um CNPJ, mostra a empresa que o cadastro tem com esse "
        "número, se está ativa, desde quando, e se o nome no código é um dos nomes dela. Com seguir, lê e verifica "
        "a cobrança que o PSP assinou na localização de um código dinâmico.",
        use="antes de pagar um código que veio de fora, ou de publicar um. Na resposta, cite fonte e data_base.",
        avoid="para saber por que um banco recusa um código (decode_pix_code), se a chave está registrada no DICT ou "
        "de quem é uma chave que não é CNPJ: só os bancos sabem.",
        notes="Mostra o que o cadastro informa sobre o número, não quem é o titular da conta. Leia nome e "
        "alertas: diverge não é uma acusação (uma loja pode receber por uma empresa de pagamentos); confirme "
        "com quem cobra por outro canal. Uma assinatura válida mostra quem assinou, não que o pagamento é seguro. "
        "Conta uma chamada quando há evidência, ausência confirmada ou cobrança assinada; caso contrário, nenhuma.",
        english="Check the payee of a Pix code, its name and CNPJ key, against the company registry before it is paid.",
        guide="""    curl -s {base}/api/v1/skills/pix/conferir -H "X-API-Key: {key}" -H 'Content-Type: application/json' \\
      -d '{"brcode": "000201…"}'

Or `{"chave", "nome_recebedor"}` in place of `brcode`. Show the user `recebedor` and each of `alertas` before they pay. `nome` compares names only: `diverge` means that the name in the code has nothing in common with the names in the registry for this number, which may be legitimate (a shop paid through a payment company): ask the user to confirm it with the payee through another channel. `parecido` and `desconhecido` (alert `nome_nao_comparado`) prove nothing: name `recebedor` to the user and ask. The check never shows that a key is registered, who owns the account, or who owns a key that is not a CNPJ. Evidence from the registry, or a confirmed absence, counts as one call.

A dynamic code holds an address (`url`) in place of a key. With `"seguir": true` the service fetches what the PSP signed there, verifies signature and certificate, and answers `cobranca` (the charge), `assinatura` (`estado`, `motivos`, `certificado`) and `psp`. Only where `assinatura.estado` is `valida` is anything of the charge shown; name to the user who signed, amount (`cobranca.valor` is all that is paid; `retirada` the cash handed out of it) and receiver, and of a recurrence what it is for, how much, how often and until when. Without network: `{"url": "sandbox.brskills.example/pix/v2/valida", "seguir": true}`, also `…/assinatura-errada` and `…/expirada`.""",
    ),
    models=_models,
    shapes=PAYEE_SHAPES,
    write=write_plain,
    content=dict,
    prepare=read_claim,
    counts=_counts,
    answer=_answer,
    endpoints=(
        Endpoint("POST", "/api/v1/skills/pix/conferir", "checkPixPayee", {
            "codigo": {"brcode": EXAMPLE_CODE},
            "chave": {"chave": "SANDBOX1000170", "nome_recebedor": "Empresa de Exemplo"},
            "localizacao": {"url": VALID_LOCATION, "seguir": True},
        }),
    ),
    errors=("sources_unavailable",),
    uses_external_data=True,
    is_provable=True,
)  # fmt: skip
