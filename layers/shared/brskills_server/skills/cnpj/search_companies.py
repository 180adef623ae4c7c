"""The skill that searches the register's snapshot for companies; a page counts one call, also an empty one."""

from typing import Any

from brskills_server.registry.sandbox import SANDBOX_DAY
from brskills_server.registry.search.register_search import EditionGone, RegisterSearch, TooMuchWork
from brskills_server.registry.search.sandbox_search import SANDBOX_NAMES, search_sandbox
from brskills_server.registry.search.words import MIN_PREFIX
from brskills_server.registry.snapshot.rows import record_of
from brskills_server.registry.store import StoreFault
from brskills_server.skills.cnpj.register_copy import copy_failed, no_copy
from brskills_server.skills.cnpj.search_answer import search_answer
from brskills_server.skills.cnpj.search_request import SHAPES, Search, read_search, too_much_work
from brskills_server.skills.errors import ApiError, InvalidRequest
from brskills_server.skills.skill import Call, Endpoint, Model, Skill, Texts, write_plain

_SANDBOX_EDITION = "sandbox"
_MOST_WORDS = 10  # for which near ones are looked up; names of a request may have two hundred
_WORK_IN_LOOK_UPS = 10  # what a search that worked in vain takes from the allowance


def _is_sandbox(search: Search) -> bool:
    return search.criteria.names == SANDBOX_NAMES


def _answer(search: Search, call: Call) -> dict[str, Any]:
    if _is_sandbox(search):
        return _sandbox_answer(search)
    call.session.allowance.check(call.session.caller)
    try:
        found = _page_of(search, call.search) if call.search else None
    except EditionGone:
        raise ApiError("cursor_expired") from None
    except TooMuchWork:
        call.session.note_look_up(_WORK_IN_LOOK_UPS)
        raise InvalidRequest(*too_much_work(search.criteria)) from None
    except (StoreFault, ValueError):  # out of reach, or rows that are damaged
        raise copy_failed() from None
    if found is None:
        raise no_copy()
    return found


def _page_of(search: Search, register: RegisterSearch) -> dict[str, Any] | None:
    page = register.search(search.criteria, search.cursor.after, search.limit, search.cursor.edition_id)
    if page is None:
        return None
    names = search.criteria.names
    words = [*dict.fromkeys(word for name in names for word in name if len(word) >= MIN_PREFIX)]
    words = words[:_MOST_WORDS] if page.total == 0 else []
    return search_answer(
        search,
        [record_of(company) for company in page.companies],
        page.total,
        is_exact=page.is_exact,
        next_in=page.edition.id if page.more else "",
        data_base=page.edition.day.isoformat(),
        near_words=_near_words(register, words),
    )


def _near_words(register: RegisterSearch, words: list[str]) -> list[str]:
    try:
        return register.near_words(words) if words else []
    except (StoreFault, TooMuchWork):  # the page is whole without them
        return []


def _sandbox_answer(search: Search) -> dict[str, Any]:
    found = search_sandbox(search.criteria)
    behind = [record for record in found if record["cnpj"] > search.cursor.after]
    return search_answer(
        search,
        behind[: search.limit],
        len(found),
        next_in=_SANDBOX_EDITION if behind[search.limit :] else "",
        data_base=SANDBOX_DAY.isoformat(),
    )


_TEXTS = Texts(
    title="Buscar empresas",
    purpose="Busca empresas na cópia do cadastro nacional por nome, CNAE, estado, município, CEP, data de "
    "abertura e outros campos; responde por páginas, na ordem dos números.",
    use="para achar o CNPJ de uma empresa pelo nome, listar filiais ou empresas de um ramo em uma cidade. Na "
    "resposta, cite a Receita Federal e data_base.",
    avoid="para procurar pessoas: nome de sócio, CPF, e-mail e telefone não são buscados. Com o número em "
    "mãos, consulte a empresa.",
    notes="Ao menos um destes é obrigatório: nome, raiz, cnae, cnae_principal, municipio, cep, socio_cnpj. "
    "Sem situacao, só empresas ativas (com raiz, todas): para conferir um fornecedor, ou se nada for achado, envie "
    "situacao todas. A empresa precisa atender a todos os campos; com vários valores em um, basta "
    "um. Cada página conta uma chamada do mês, também uma vazia. Sem resultado para o nome, sugestoes traz palavras parecidas "
    "que existem. Para testar sem contar: nome SANDBOX.",
    english="Search Brazilian companies by name, activity (CNAE), state, city, postal code, or opening date.",
    guide="""    curl -s -G {base}/api/v1/skills/cnpj/busca -H "X-API-Key: {key}" \\
      --data-urlencode 'nome=padaria sao joao' -d uf=SP

Each word must be in the legal or the trade name; from three letters on, its beginning will do. At least one of `nome`, `raiz`, `cnae`, `cnae_principal`, `municipio`, `cep`, `socio_cnpj` is needed. To narrow a search down: `uf`, `municipio` (name, as São Paulo/SP, or code), `situacao` (without it only active companies are found: if there are none, send `todas`), `aberta_de`, `aberta_ate`, `porte`, `matriz`, `mei`, `simples`. Each page counts one call: look at `total` before you page on with `cursor`, and send the same fields with it. People are not searched. Try out with the name SANDBOX, which is not counted.""",
)


def _models() -> tuple[Model, Model]:
    from brskills_server.skills.cnpj.search_models import SearchPage, SearchRequest  # imports pydantic

    return SearchRequest, SearchPage


SEARCH_COMPANIES = Skill(
    name="search_companies",
    scope="cnpj",
    texts=_TEXTS,
    models=_models,
    shapes=SHAPES,
    prepare=read_search,
    counts=lambda search: not _is_sandbox(search),
    answer=_answer,
    endpoints=(
        Endpoint(
            "POST",
            "/api/v1/skills/cnpj/busca",
            "searchCompanies",
            {
                "sandbox": {"nome": "SANDBOX"},
                "nome": {"nome": "padaria sao joao", "uf": "SP"},
                "ramo": {
                    "cnae_principal": ["5611201", "5611203"],
                    "municipio": 3550308,
                    "aberta_de": "2026-01-01",
                },
            },
            "Use esta rota quando o que se busca não deve aparecer em URLs e logs de acesso.",
        ),
        Endpoint(
            "GET",
            "/api/v1/skills/cnpj/busca",
            "findCompanies",
            note="Nesta rota, vários valores de um campo vêm separados por vírgulas ou com o parâmetro repetido.",
        ),
    ),
    write=write_plain,
    content=dict,
    errors=("copy_unavailable", "cursor_expired"),
    uses_external_data=True,
    is_provable=True,
)
