"""The skill that lists the watched companies of an account."""

from typing import Any

from brskills_server.skills.account_skill import account_skill
from brskills_server.skills.skill import Call, Endpoint, Model, Texts
from brskills_server.skills.watches.listed import (
    SHAPES,
    Page,
    listed_watch,
    read_cursor,
    read_page,
    write_cursor,
)

_KIND = "watches"


def _answer(page: Page, call: Call) -> dict[str, Any]:
    account = call.find_account().id
    after = read_cursor(page.cursor, _KIND, account) if page.cursor else ""
    found = call.store.list_watches(account, after, page.limit + 1)
    watches = found[: page.limit]
    more = len(found) > page.limit
    return {
        "watches": [listed_watch(watch) for watch in watches],
        "cursor": write_cursor(watches[-1].cnpj, _KIND, account) if more else None,
    }


def _models() -> tuple[Model, Model]:
    from brskills_server.skills.watches.models import PageRequest, WatchPage  # imports pydantic

    return PageRequest, WatchPage


LIST_WATCHES = account_skill(
    name="list_watches",
    texts=Texts(
        title="Listar as empresas monitoradas",
        purpose="Lista as empresas que a conta monitora, por páginas, na ordem dos números.",
        use="para saber quais são monitoradas e desde quando.",
        avoid="para ver o que mudou nelas (list_changes).",
        notes="Não conta como chamada.",
        english="List the watched companies.",
        guide="""    curl -s {base}/api/v1/watches -H "X-API-Key: {key}"

Pages of `limite` (up to 100); `cursor` is `null` on the last one.""",
    ),
    models=_models,
    shapes=SHAPES,
    prepare=read_page,
    answer=_answer,
    endpoints=(Endpoint("GET", "/api/v1/watches", "listWatches"),),
    example={
        "watches": [
            {"cnpj": "SANDBOX1000170", "referencia": "fornecedor 1", "desde": "2026-11-18T11:06:40Z"}
        ],
        "cursor": None,
    },
)
