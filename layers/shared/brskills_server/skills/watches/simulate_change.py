"""The route that lets the sandbox company change, to try the feed out."""

from typing import Any

from brskills_server.skills.account_skill import account_skill
from brskills_server.skills.errors import ApiError, InvalidRequest
from brskills_server.skills.shape import Shape, check_shape
from brskills_server.skills.skill import Call, Endpoint, Model, Texts
from brskills_server.watches.watches import SIMULATED

_ACCEPTED = 202
_SHAPES: dict[str, Shape] = {}


def _check(content: dict[str, Any]) -> None:
    if issues := check_shape(_SHAPES, content):
        raise InvalidRequest(*issues)


def _answer(_prepared: None, call: Call) -> dict[str, Any]:
    if not call.watches.simulate(call.find_account().id):
        raise ApiError("not_found", wording=":watch")
    return {"cnpj": SIMULATED}


def _models() -> tuple[Model, Model]:
    from brskills_server.skills.account.models import NoArguments
    from brskills_server.skills.watches.models import Simulated  # imports pydantic

    return NoArguments, Simulated


SIMULATE_CHANGE = account_skill(
    name="simulate_change",
    texts=Texts(
        title="Simular uma mudança",
        purpose="Muda SANDBOX1000170, para testar: a mudança aparece em GET /api/v1/changes.",
        use="para testar sem esperar uma cópia nova do cadastro.",
        avoid="com empresas reais.",
        notes="A conta deve monitorar SANDBOX1000170; senão, 404 not_found. Não conta como chamada.",
        english="Let the sandbox company change, to try the feed out.",
        guide="""    curl -s -X POST {base}/api/v1/watches/simulate -H "X-API-Key: {key}\"""",
    ),
    models=_models,
    shapes=_SHAPES,
    prepare=_check,
    answer=_answer,
    endpoints=(Endpoint("POST", "/api/v1/watches/simulate", "simulateChange", {"vazio": {}}),),
    statuses=(_ACCEPTED,),
    status=lambda _: _ACCEPTED,
    needs_body=False,
    effect="adds",
    errors=("demo_key", "not_found"),
    example={"cnpj": SIMULATED},
)
