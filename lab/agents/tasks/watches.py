"""Tasks about the companies that an account watches, and about its usage."""

from __future__ import annotations

from lab.agents.register import BAKERY, FOUNDRY, PLAIN, masked, number_of
from lab.agents.rules import Step, mentions, sourced
from lab.agents.task import Task

_PAGE = frozenset({"limite"})
_CHARGE = {"chave": "pix@exemplo.com.br", "nome_recebedor": "Padaria", "cidade": "Recife"}
SUPPLIERS = tuple(number_of(company) for company in (BAKERY, FOUNDRY, PLAIN))

WATCHES = (
    Task(
        "changes in suppliers",
        "tuning",
        "Mudou alguma coisa no cadastro dos fornecedores que eu acompanho?",
        (Step("list_changes", {}, _PAGE),),
        (
            mentions("which supplier", "fornecedor 7", "SANDBOX1000170"),
            mentions("the new capital", "250.000,00", "250.000", "250000.00", "250 mil"),
            *sourced("2026-09-12"),
        ),
        allowed=frozenset({"list_watches"}),
        before=(
            ("/api/v1/watches", {"cnpj": "SANDBOX1000170", "referencia": "fornecedor 7"}),
            ("/api/v1/watches/simulate", {}),
        ),
    ),
    Task(
        "watch a list",
        "reported",
        f"Passa a acompanhar estes três fornecedores para mim: {', '.join(map(masked, SUPPLIERS))}.",
        (Step("watch_companies", {"cnpjs": (list(SUPPLIERS),)}),),
        (mentions("how many", "3", "três"),),
    ),
    Task(
        "stop watching",
        "reported",
        "Não preciso mais acompanhar o fornecedor 3. O CNPJ está na minha lista.",
        (
            Step("list_watches", {}, _PAGE),
            Step("unwatch_company", {"cnpj": (number_of(FOUNDRY),)}),
        ),
        (mentions("which company", "fornecedor 3", number_of(FOUNDRY), masked(number_of(FOUNDRY))),),
        before=tuple(
            ("/api/v1/watches", {"cnpj": number_of(company), "referencia": f"fornecedor {number}"})
            for number, company in ((1, BAKERY), (3, FOUNDRY))
        ),
    ),
    Task(
        "calls left",
        "reported",
        "Quantas chamadas ainda posso fazer neste mês?",
        (Step("get_usage"),),
        (mentions("how many", "99"),),
        before=(("/api/v1/skills/pix", _CHARGE),),
    ),
)
