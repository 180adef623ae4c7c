"""The skill that lists what the register's monthly snapshots said differently of a company."""

from typing import Any

from brskills_server.registry.errors import CompanyNotFound, SourcesUnavailable
from brskills_server.registry.sandbox import SANDBOX_NUMBERS
from brskills_server.registry.store import StoreFault
from brskills_server.skills.cnpj.look_up_company import NUMBER_SHAPE, check_number
from brskills_server.skills.cnpj.register_copy import copy_failed, no_copy
from brskills_server.skills.errors import ApiError
from brskills_server.skills.skill import Call, Endpoint, Model, Skill, Texts, write_plain

_SHAPES = {"cnpj": NUMBER_SHAPE}


def _check(content: dict[str, Any]) -> str:
    return check_number(_SHAPES, content)


def _answer(cnpj: str, call: Call) -> dict[str, Any]:
    try:
        found = call.find_history(cnpj)
    except CompanyNotFound as missing:
        details = {"confirmado": missing.confirmed, "data_base": missing.data_base}
        raise ApiError("company_not_found", wording=":no_copy", details=details) from None
    except SourcesUnavailable as sandbox:
        raise copy_failed(sandbox.retry_after, nothing_failed=True) from None
    except (StoreFault, ValueError):  # out of reach, or rows that are damaged
        raise copy_failed() from None
    if found is None:
        raise no_copy()
    return found


_TEXTS = Texts(
    title="Ver o histórico de uma empresa",
    purpose="Retorna o que mudou no cadastro de uma empresa brasileira de uma cópia mensal da Receita Federal "
    "para a seguinte: situação, nomes, capital, endereço, CNAEs, natureza jurídica, porte, Simples, MEI e "
    "sócios que entraram e saíram.",
    use="para saber o que mudou nos últimos meses, como endereço, nome ou sócios. Na resposta, cite a Receita "
    "Federal e data_base.",
    avoid="para o cadastro de hoje ou o dia em que a empresa fechou (look_up_company), nem para todas as monitoradas "
    "de uma vez (list_changes).",
    notes="As mudanças vêm da mais recente à mais antiga, com a data da cópia que as mostrou, por até 13 meses. "
    "E-mail e telefones não são comparados; a faixa etária ou a qualificação de um sócio que fica também não. "
    "Conta uma chamada do mês, também sem mudanças; um CNPJ que nenhuma cópia tem não conta. Para testar sem "
    "contar: SANDBOX1000170, SANDBOX2000114 (baixada), SANDBOX3000169, SANDBOX4000103 (404), SANDBOX5000158 "
    "(503), SANDBOX6000100.",
    english="See what changed in a Brazilian company's registration, month by month.",
    guide="""    curl -s {base}/api/v1/skills/cnpj/historico -H "X-API-Key: {key}" -H 'Content-Type: application/json' \\
      -d '{"cnpj": "SANDBOX1000170"}'

The number may also stand in the path: `{base}/api/v1/skills/cnpj/historico/SANDBOX1000170`. `mudancas` lists changes from the newest on, each with the day of the first monthly copy that shows it (`data_base`), the field (`campo`) and its values before and after (`de`, `para`); in `socios` these are who left and who came. `desde` is the oldest copy compared: of the time before it nothing is known. 503 `copy_unavailable`: this service has no copy of the register.""",
)


def _models() -> tuple[Model, Model]:
    from brskills_server.skills.cnpj.history_models import CompanyHistory, HistoryRequest  # imports pydantic

    return HistoryRequest, CompanyHistory


COMPANY_HISTORY = Skill(
    name="company_history",
    scope="cnpj",
    texts=_TEXTS,
    models=_models,
    shapes=_SHAPES,
    prepare=_check,
    counts=lambda cnpj: cnpj not in SANDBOX_NUMBERS,
    answer=_answer,
    endpoints=(
        Endpoint(
            "POST",
            "/api/v1/skills/cnpj/historico",
            "lookUpHistory",
            {"sandbox": {"cnpj": "SANDBOX1000170"}},
            "Use esta rota quando o número não deve aparecer em URLs e logs de acesso.",
        ),
        Endpoint(
            "GET",
            "/api/v1/skills/cnpj/historico/{cnpj+}",
            "getHistory",
            note="Nesta rota, a barra da máscara pode ser enviada como está ou codificada.",
        ),
    ),
    write=write_plain,
    content=dict,
    errors=("company_not_found", "copy_unavailable"),
    uses_external_data=True,
    is_provable=True,
)
