"""The skill that looks a company up: counted before a provider is asked, released where no answer was found."""

from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from access import Session
from registry import (
    Answer,
    CompanyNotFound,
    Demand,
    InvalidCnpj,
    SourcesUnavailable,
    is_sandbox,
    parse_cnpj,
)
from skills.later import Later
from skills.refusals import InvalidRequest, Refusal, RequestFault
from skills.skill import Call, Endpoint, Skill, Texts
from skills.validation import WholeNumber, as_whole_number, find_faults

__all__ = ["LOOK_UP_COMPANY", "CompanyRequest", "MaxAge", "MaxDataAge", "absence", "unavailable"]

_CNPJ_FORM = r"^[0-9A-Za-z]{2}\.?[0-9A-Za-z]{3}\.?[0-9A-Za-z]{3}/?[0-9A-Za-z]{4}-?[0-9]{2}$"
"""How a CNPJ is written, for those who read schemas; ``registry`` judges it."""


MaxAge = Annotated[
    int | None,
    Field(
        ge=0,
        le=10**9,
        description="Idade máxima da consulta, em segundos; o que não a cumpre é 503, nunca um dado velho.",
        examples=[3600],
    ),
    WholeNumber,
]
MaxDataAge = Annotated[
    int | None,
    Field(
        ge=0,
        le=10**9,
        description="Idade máxima dos dados, em dias desde data_base; o que não a cumpre é 503, nunca um dado velho.",
        examples=[7],
    ),
    WholeNumber,
]


class CompanyRequest(BaseModel):
    """Qual empresa, e quão recente deve ser a resposta."""

    model_config = ConfigDict(extra="forbid")

    cnpj: Annotated[str | int, WholeNumber] = Field(
        description="CNPJ com ou sem máscara, também alfanumérico. Um inteiro JSON é completado com zeros, um texto nunca.",
        examples=["SANDBOX1000170"],
        json_schema_extra={
            "anyOf": [
                {"type": "string", "pattern": _CNPJ_FORM},
                {"type": "integer", "minimum": 0, "maximum": 10**14 - 1},
            ]
        },
    )
    idade_maxima: MaxAge = None
    idade_dados_maxima: MaxDataAge = None


class _Query(NamedTuple):
    """A canonical number, and what is demanded of the answer."""

    cnpj: str
    demand: Demand


def _check(content: dict[str, Any]) -> _Query:
    """The faults of shape and of the number come together."""
    request, faults = find_faults(CompanyRequest, content)
    cnpj = ""
    if "cnpj" in content and not any(fault.field == "cnpj" for fault in faults):
        try:
            cnpj = parse_cnpj(request.cnpj if request else as_whole_number(content["cnpj"]))
        except InvalidCnpj as invalid:
            faults.append(RequestFault("cnpj", invalid.code))
    if request is None or faults:
        raise InvalidRequest(*faults)
    return _Query(cnpj, Demand(request.idade_maxima, request.idade_dados_maxima))


def _answer(query: _Query, call: Call) -> Answer:
    try:
        found: Answer = call.find_company(query.cnpj, query.demand)
    except CompanyNotFound as missing:
        raise absence(missing, call.session) from None
    except SourcesUnavailable as failure:
        raise unavailable(failure) from None
    return found


def unavailable(failure: SourcesUnavailable) -> Refusal:
    """No source answered."""
    seconds = failure.retry_after
    told = {"retry_after": seconds}
    return Refusal("sources_unavailable", parameters=told, retry_after=seconds, staged=failure.staged)


def absence(missing: CompanyNotFound, session: Session) -> Refusal:
    """A confirmed absence counts; another one only beyond those of the month that are free."""
    details = {"confirmado": missing.confirmed, "data_base": missing.data_base}
    if missing.confirmed:
        return Refusal("company_not_found", details=details, counts=True)
    if session.release_absence():
        return Refusal("company_not_found", wording=":unconfirmed", details=details)
    return Refusal("company_not_found", wording=":counted", details=details, counts=True)


_TEXTS = Texts(
    title="Consultar uma empresa",
    purpose="Dá o registro público de uma empresa brasileira pelo CNPJ: razão social, situação, endereço, CNAE, "
    "sócios, fonte e idade do dado.",
    use="para conferir um fornecedor ou preencher um cadastro.",
    avoid="para CPF, para procurar por nome, nem em lugar de uma certidão.",
    notes="Uma resposta guardada vale por 24 horas; se as fontes falham, até 45 dias com desatualizado: true. Para "
    "exigir uma consulta mais nova, use idade_maxima; para dados mais novos, ou inscrições estaduais, "
    "idade_dados_maxima. Conta uma chamada do mês quando responde ou confirma que a empresa não existe; ausências não confirmadas são grátis até um limite do plano. Para testar sem contar: SANDBOX1000170 (ativa), SANDBOX2000114 (baixada), SANDBOX3000169 (MEI), "
    "SANDBOX4000103 (404), SANDBOX5000158 (503), SANDBOX6000100 (desatualizada).",
    english="Look up a Brazilian company by its CNPJ tax number.",
    guide="""    curl -s {base}/api/v1/skills/cnpj -H "X-API-Key: {key}" -H 'Content-Type: application/json' \\
      -d '{"cnpj": "33.000.167/0001-01"}'

The number may also stand in the path: `{base}/api/v1/skills/cnpj/SANDBOX1000170`. Name `fonte` and `consultado_em` with what you report, and say so if `desatualizado` is true. `data_base` is the day of the data itself: where a month-old record will not do, or state registrations (`inscricoes_estaduais`) are wanted, add `idade_dados_maxima`, the most days since then. Try out with SANDBOX1000170, which is made up, always answers and is not counted; SANDBOX2000114 is closed, SANDBOX4000103 does not exist, SANDBOX5000158 is out of reach.""",
)

LOOK_UP_COMPANY = Skill(
    name="look_up_company",
    scope="cnpj",
    texts=_TEXTS,
    request=CompanyRequest,
    result=Later("registry", "Company"),
    prepare=_check,
    counts=lambda query: not is_sandbox(query.cnpj),
    answer=_answer,
    endpoints=(
        Endpoint(
            "POST",
            "/api/v1/skills/cnpj",
            "lookUpCompany",
            {
                "sandbox": {"cnpj": "SANDBOX1000170"},
                "recente": {"cnpj": "33.000.167/0001-01", "idade_maxima": 3600},
                "dados_recentes": {"cnpj": "33.000.167/0001-01", "idade_dados_maxima": 7},
            },
            "Este caminho serve quando o número não deve aparecer em endereços e registros de acesso.",
        ),
        Endpoint(
            "GET",
            "/api/v1/skills/cnpj/{cnpj+}",
            "getCompany",
            note="Neste caminho, a barra da máscara pode ir como está ou codificada.",
        ),
    ),
    write=Answer.json,
    content=Answer.content,
    validator=lambda found: str(found.etag),
    errors=("company_not_found", "sources_unavailable"),
    uses_external_data=True,
)
