"""The route of one watched company."""

from typing import Any

from brskills_server.skills.account_skill import account_skill
from brskills_server.skills.errors import ApiError
from brskills_server.skills.skill import Call, Endpoint, Model, Texts
from brskills_server.skills.watches.listed import listed_watch
from brskills_server.skills.watches.unwatch_company import SHAPES, read_watched


def _answer(cnpj: str, call: Call) -> dict[str, Any]:
    watch = call.store.read_watch(call.find_account().id, cnpj)
    if watch is None:
        raise ApiError("not_found", wording=":watch")
    return listed_watch(watch)


def _models() -> tuple[Model, Model]:
    from brskills_server.skills.watches.models import WatchedCompany, WatchedRequest  # imports pydantic

    return WatchedRequest, WatchedCompany


READ_WATCH = account_skill(
    name="read_watch",
    texts=Texts(
        title="Ver uma empresa monitorada",
        purpose="Retorna desde quando a conta monitora uma empresa, e com que referência.",
        use="para saber se uma empresa é monitorada.",
        avoid="para ver todas (list_watches).",
        notes="Não conta como chamada.",
        english="See a watched company.",
        guide="""    curl -s {base}/api/v1/watches/SANDBOX1000170 -H "X-API-Key: {key}\"""",
    ),
    models=_models,
    shapes=SHAPES,
    prepare=read_watched,
    answer=_answer,
    endpoints=(Endpoint("GET", "/api/v1/watches/{cnpj+}", "readWatch"),),
    example={"cnpj": "SANDBOX1000170", "referencia": "fornecedor 1", "desde": "2026-11-18T11:06:40Z"},
)
