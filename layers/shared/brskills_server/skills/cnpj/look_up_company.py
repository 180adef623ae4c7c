"""The skill that looks up one company; the call is counted before a provider is called."""

from collections.abc import Mapping
from typing import Any

from brskills_server.metering.session import Session
from brskills_server.registry.answer import Answer
from brskills_server.registry.errors import CompanyNotFound, InvalidCnpj, SourcesUnavailable
from brskills_server.registry.query import Freshness, Query
from brskills_server.registry.registry import parse_cnpj
from brskills_server.registry.sandbox import SANDBOX_NUMBERS
from brskills_server.skills.errors import ApiError, InvalidRequest
from brskills_server.skills.issues import cnpj_issue
from brskills_server.skills.shape import Shape, as_whole_number, check_shape
from brskills_server.skills.skill import Call, Endpoint, Model, Skill, Texts

NUMBER_SHAPE = Shape(str | int, required=True)
_AGE = Shape(int, limits=(0, 10**9))
AGE_SHAPES = {"idade_maxima": _AGE, "idade_dados_maxima": _AGE}
_SHAPES = {"cnpj": NUMBER_SHAPE, **AGE_SHAPES}

_ANY_AGE = Freshness()


def _check(content: dict[str, Any]) -> Query:
    """Return the query of a request. Raise ``InvalidRequest`` with all issues of shape and number."""
    cnpj = check_number(_SHAPES, content)
    max_age, max_data_age = content.get("idade_maxima"), content.get("idade_dados_maxima")
    return Query(cnpj, Freshness(as_whole_number(max_age), as_whole_number(max_data_age)))


def check_number(shapes: Mapping[str, Shape], content: dict[str, Any]) -> str:
    """Return the canonical number of a request, whose other fields are checked by their shapes too.

    Raise ``InvalidRequest`` with all issues.
    """
    issues = check_shape(shapes, content)
    cnpj = ""
    if not any(found.field == "cnpj" for found in issues):
        try:
            cnpj = parse_cnpj(as_whole_number(content["cnpj"]))
        except InvalidCnpj as invalid:
            issues.append(cnpj_issue("cnpj", invalid))
    if issues:
        raise InvalidRequest(*issues)
    return cnpj


def _answer(query: Query, call: Call) -> Answer:
    try:
        found: Answer = call.find_company(query)
    except CompanyNotFound as missing:
        raise absence(missing, call.session) from None
    except SourcesUnavailable as failure:
        raise unavailable(failure, query.freshness) from None
    return found


def unavailable(failure: SourcesUnavailable, demanded: Freshness = _ANY_AGE) -> ApiError:
    """Return the error of a look-up without an answer; it counts where a paid source has answered."""
    seconds = failure.retry_after
    unmet = ":unmet" if failure.nothing_failed and demanded != _ANY_AGE else ""
    is_old = failure.lasting and demanded.max_data_age is not None
    wording = ":old" if is_old else ":lasting" if failure.lasting else unmet
    return ApiError(
        "sources_unavailable",
        wording=":paid" if failure.paid else wording,
        parameters={"retry_after": seconds},
        retry_after=seconds,
        counts=failure.paid,
        nothing_failed=failure.nothing_failed,
        repeated=failure.repeated,
    )


def absence(missing: CompanyNotFound, session: Session) -> ApiError:
    """Return the error of an absence.

    A confirmed one counts; any other only after a paid source answered, or beyond the month's free ones.
    """
    details = {"confirmado": missing.confirmed, "data_base": missing.data_base}
    if missing.confirmed:
        return ApiError("company_not_found", details=details, counts=True)
    if missing.paid:
        return ApiError("company_not_found", wording=":paid", details=details, counts=True)
    if is_counted_absence(session):
        return ApiError("company_not_found", wording=":counted", details=details, counts=True)
    return ApiError("company_not_found", wording=":unconfirmed", details=details)


def is_counted_absence(session: Session) -> bool:
    """Return whether an unconfirmed absence counts, beyond the month's free ones; else release its call."""
    return session.was_answered or not session.release_absence()  # counted when it came before, or now


_TEXTS = Texts(
    title="Consultar uma empresa",
    purpose="Retorna o cadastro público de uma empresa brasileira pelo CNPJ: razão social, situação, "
    "endereço, CNAE, sócios, fonte e idade do dado.",
    use="para conferir um fornecedor, preencher um cadastro ou saber se e quando uma empresa abriu ou fechou. Na "
    "resposta, cite fonte e data_base.",
    avoid="para CPF, para buscar por nome (search_companies), para o que mudou de um mês a outro "
    "(company_history) ou no lugar de uma certidão.",
    notes="Uma resposta em cache é usada por 24 horas; se as fontes falham, por até 45 dias, com desatualizado: "
    "true. Para exigir uma consulta mais recente, use idade_maxima; para dados mais recentes ou inscrições "
    "estaduais, idade_dados_maxima. Conta uma chamada do mês quando responde ou confirma que a empresa não "
    "existe; consultas inconclusivas são grátis até um limite do plano. Para testar sem contar: "
    "SANDBOX1000170 (ativa), SANDBOX2000114 (baixada), SANDBOX3000169 (MEI), SANDBOX4000103 (404), "
    "SANDBOX5000158 (503), SANDBOX6000100 (desatualizada).",
    english="Look up a Brazilian company by its CNPJ tax number.",
    guide="""    curl -s {base}/api/v1/skills/cnpj -H "X-API-Key: {key}" -H 'Content-Type: application/json' \\
      -d '{"cnpj": "33.000.167/0001-01"}'

The number may also stand in the path: `{base}/api/v1/skills/cnpj/SANDBOX1000170`. Name `fonte` and `consultado_em` with what you report, and say so if `desatualizado` is true. `data_base` is the day of the data itself: where a month-old record will not do, or state registrations (`inscricoes_estaduais`) are wanted, add `idade_dados_maxima`, the most days since then. Try out with SANDBOX1000170, which is made up, always answers and is not counted; SANDBOX2000114 is closed, SANDBOX4000103 does not exist, SANDBOX5000158 is out of reach.""",
)


def _models() -> tuple[Model, Model]:
    from brskills_server.registry.company import Company
    from brskills_server.skills.cnpj.models import CompanyRequest  # imports pydantic

    return CompanyRequest, Company


LOOK_UP_COMPANY = Skill(
    name="look_up_company",
    scope="cnpj",
    texts=_TEXTS,
    models=_models,
    shapes=_SHAPES,
    prepare=_check,
    counts=lambda query: query.cnpj not in SANDBOX_NUMBERS,
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
            "Use esta rota quando o número não deve aparecer em URLs e logs de acesso.",
        ),
        Endpoint(
            "GET",
            "/api/v1/skills/cnpj/{cnpj+}",
            "getCompany",
            note="Nesta rota, a barra da máscara pode ser enviada como está ou codificada.",
        ),
    ),
    write=Answer.json,
    content=Answer.content,
    validator=lambda found: str(found.etag),
    errors=("company_not_found", "sources_unavailable"),
    uses_external_data=True,
    is_provable=True,
)
