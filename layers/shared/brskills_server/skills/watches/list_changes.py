"""The skill that reads the feed of what changed in watched companies."""

from typing import Any

from brskills_server.skills.account_skill import account_skill
from brskills_server.skills.skill import Call, Endpoint, Model, Texts
from brskills_server.skills.watches.listed import (
    SHAPES,
    Page,
    read_cursor,
    read_page,
    write_cursor,
)

_KIND = "changes"
_BEGINNING = "0"


def _answer(page: Page, call: Call) -> dict[str, Any]:
    account = call.find_account().id
    after = read_cursor(page.cursor, _KIND, account) if page.cursor else _BEGINNING
    found = call.watches.changes(account, int(after), page.limit)
    last = str(found[-1].place) if found else after
    return {
        "mudancas": [entry.change.as_answer() for entry in found],
        "cursor": write_cursor(last, _KIND, account),
    }


def _models() -> tuple[Model, Model]:
    from brskills_server.skills.watches.models import ChangePage, PageRequest  # imports pydantic

    return PageRequest, ChangePage


LIST_CHANGES = account_skill(
    name="list_changes",
    texts=Texts(
        title="Ver o que mudou nas empresas monitoradas",
        purpose="Retorna o que as cópias mensais novas do cadastro mudaram nas empresas monitoradas, da mudança "
        "mais antiga à mais recente, por páginas.",
        use="para saber o que mudou nos fornecedores ou clientes acompanhados; de tempos em tempos, com o cursor da "
        "última resposta, para receber só o que é novo. Na resposta, cite a Receita Federal e data_base.",
        avoid="para uma empresa que não é monitorada (company_history).",
        notes="Sem cursor, começa do início; cada resposta tem um cursor, também a última. Guarda 13 meses. Não "
        "conta como chamada.",
        english="Read what changed in the watched companies.",
        guide="""    curl -s {base}/api/v1/changes -H "X-API-Key: {key}"

Oldest first; every answer has a `cursor`: send it the next time to get only what is new. Kept for 13 months. To try it out, watch SANDBOX1000170 and call `POST {base}/api/v1/watches/simulate`.""",
    ),
    models=_models,
    shapes=SHAPES,
    prepare=read_page,
    answer=_answer,
    endpoints=(Endpoint("GET", "/api/v1/changes", "listChanges"),),
    uses_external_data=True,
)
