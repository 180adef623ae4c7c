"""Scripts of the tasks about watched companies and usage."""

from __future__ import annotations

from lab.agents.register import BAKERY, FOUNDRY, number_of
from lab.agents.scripted import Mistake, Script, mistake, use
from lab.agents.tasks.watches import SUPPLIERS

_CHANGED = "O fornecedor 7 aumentou o capital para R$ 250.000,00 (Receita Federal, dados de 12/09/2026)."
_WATCHED = "Pronto: os 3 fornecedores estão na lista."
_ENDED = "Pronto, o fornecedor 3 não é mais acompanhado."

RIGHT: dict[str, Script] = {
    "changes in suppliers": (use("list_changes"), _CHANGED),
    "watch a list": (
        use("watch_companies", cnpjs=[SUPPLIERS[0], {"cnpj": SUPPLIERS[1]}, SUPPLIERS[2]]),
        _WATCHED,
    ),
    "stop watching": (
        use("list_watches", limite=100),
        use("unwatch_company", cnpj=number_of(FOUNDRY)),
        _ENDED,
    ),
    "calls left": (use("get_usage"), "Restam {restantes} chamadas, de {limite}."),
}

WRONG: dict[str, tuple[Mistake, ...]] = {
    "changes in suppliers": (
        mistake(
            "each history is read",
            use("list_watches"),
            use("company_history", cnpj="SANDBOX1000170"),
            "O fornecedor 7 mudou de sócios.",
            breaks={
                "does not call list_changes", "calls another tool", "list_changes: has other arguments",
                "does not say the new capital", "does not name the source",
                "does not say the date of the data",
            },
        ),
    ),
    "watch a list": (
        mistake(
            "one call for each",
            *(use("watch_companies", cnpj=cnpj) for cnpj in SUPPLIERS),
            _WATCHED,
            breaks={"watch_companies: cnpjs is wrong", "watch_companies: has other arguments"},
        ),
        mistake(
            "one is left out",
            use("watch_companies", cnpjs=list(SUPPLIERS[:2])),
            "Pronto: estão na lista.",
            breaks={"watch_companies: cnpjs is wrong", "does not say how many"},
        ),
    ),
    "stop watching": (
        mistake(
            "another company is named without reading the list",
            use("unwatch_company", cnpj=number_of(BAKERY)),
            _ENDED,
            breaks={
                "does not call list_watches", "does not call list_watches then unwatch_company",
                "list_watches: has other arguments", "unwatch_company: cnpj is wrong",
            },
        ),
    ),
    "calls left": (
        mistake(
            "the plan's limit is taken for what is left",
            "Restam 100 chamadas.",
            breaks={"does not call get_usage", "get_usage: has other arguments", "does not say how many"},
        ),
        mistake(
            "it asks again and again",
            *[use("get_usage")] * 4,
            "Restam 99 chamadas.",
            breaks={"calls too often"},
        ),
    ),
}  # fmt: skip
