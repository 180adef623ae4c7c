"""The skill that watches companies, so that what new months of the register change in them is in the feed."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from brskills_server.accounts.plans import PLANS
from brskills_server.skills.account_skill import account_skill
from brskills_server.skills.errors import ApiError, InvalidRequest
from brskills_server.skills.skill import Call, Endpoint, Model, Texts, write_plain
from brskills_server.skills.turns import Turns, each_in_turns
from brskills_server.skills.watches.listed import listed_watch
from brskills_server.skills.watches.wanted import SHAPES, Wanted, read_wanted
from brskills_server.watches.watch import Added

_OK, _CREATED = 200, 201
_AT_ONCE = 98
"""Watches of a transaction, during which other writers wait; DynamoDB's take 49."""

_WRITING = Turns()
"""Not the turns at computing: a slow store holds up other lists of watches alone."""


class _Outcome(NamedTuple):
    content: dict[str, Any]
    status: int = _OK


def _answer(wanted: Wanted, call: Call) -> _Outcome:
    account = call.find_account()
    limit = PLANS[account.plan].watches
    valid = [item for item in wanted.items if not isinstance(item, InvalidRequest)]
    added = _add(call, account.id, limit, valid)
    results = [
        item if isinstance(item, InvalidRequest) else _outcome(next(added), limit) for item in wanted.items
    ]
    call.session.items = len(results)
    if wanted.is_list:
        return _Outcome(
            {"resultados": each_in_turns(lambda placed: _entry(*placed, call), [*enumerate(results)])}
        )
    (only,) = results
    if isinstance(only, ApiError):
        raise only
    return only


def _outcome(added: Added, limit: int | None) -> _Outcome | ApiError:
    if added.watch is None:
        return ApiError("watch_limit", parameters={"limit": limit})
    return _Outcome(listed_watch(added.watch), _CREATED if added.is_new else _OK)


def _entry(place: int, result: _Outcome | ApiError, call: Call) -> dict[str, Any]:
    if isinstance(result, ApiError):
        problem = call.to_problem(result)
        return {"indice": place, "status": problem["status"], "problema": problem}
    return {"indice": place, "status": result.status, "resposta": result.content}


def _add(
    call: Call, account: str, limit: int | None, watches: Sequence[tuple[str, str | None]]
) -> Iterator[Added]:
    for at in range(0, len(watches), _AT_ONCE):
        with _WRITING:
            part = call.watches.add(account, limit, watches[at : at + _AT_ONCE])
        yield from part


def _models() -> tuple[Model, Model]:
    from brskills_server.skills.watches.models import WatchAnswer, WatchRequest  # imports pydantic

    return WatchRequest, WatchAnswer


WATCH_COMPANIES = account_skill(
    name="watch_companies",
    texts=Texts(
        title="Monitorar empresas",
        purpose="Passa a monitorar uma ou até 1.000 empresas: o que cada cópia mensal nova do cadastro mudar nelas "
        "aparece em list_changes.",
        use="para acompanhar fornecedores ou clientes.",
        avoid="para o que já mudou (company_history).",
        notes="Grátis: 5 empresas; Pro: 1.000; Enterprise: sem limite. Uma que já é monitorada continua, com a "
        "referência nova, se enviada. Não conta como chamada. Como ferramenta, até 500 de uma vez; "
        "referencia, só com uma por chamada. Para testar: SANDBOX1000170.",
        english="Watch companies for changes in their registration.",
        guide="""    curl -s {base}/api/v1/watches -H "X-API-Key: {key}" -H 'Content-Type: application/json' \\
      -d '{"cnpj": "SANDBOX1000170", "referencia": "supplier 1"}'

201, or 200 where it is watched already. Up to 1,000 at once: `{"cnpjs": ["…", {"cnpj": "…", "referencia": "…"}]}`, answered by `resultados` with a status for each. Not counted; 409 `watch_limit` beyond the plan's number.""",
    ),
    models=_models,
    shapes=SHAPES,
    prepare=read_wanted,
    answer=_answer,
    endpoints=(
        Endpoint(
            "POST",
            "/api/v1/watches",
            "watchCompanies",
            {
                "uma": {"cnpj": "SANDBOX1000170", "referencia": "fornecedor 1"},
                "varias": {"cnpjs": ["SANDBOX1000170", {"cnpj": "SANDBOX2000114", "referencia": "2"}]},
            },
        ),
    ),
    write=lambda outcome: write_plain(outcome.content),
    content=lambda outcome: dict(outcome.content),
    statuses=(_OK, _CREATED),
    status=lambda outcome: outcome.status,
    effect="adds",
    errors=("demo_key", "watch_limit"),
    example={"cnpj": "SANDBOX1000170", "referencia": "fornecedor 1", "desde": "2026-11-18T11:06:40Z"},
    body_bytes=256 * 1024,
)
