"""Partners: what all providers write in nearly the same way.

The registry's marks for "nobody" (an empty name beside ``***000000**``) become ``None``; documents of
people are always masked, even where a provider forgets to. Partners come in any order, so they are
sorted: the same company gives the same record whoever is asked.
"""

from typing import Literal

from registry.company import CodigoDescricao, Representante, Socio
from registry.privacy import person_document
from registry.tables import fold
from registry.values import read_cnpj, read_text

__all__ = ["by_name", "document", "kind", "representative"]

_Kind = Literal["PF", "PJ", "ESTRANGEIRO"]
_KINDS: dict[str, _Kind] = {
    "1": "PJ",
    "2": "PF",
    "3": "ESTRANGEIRO",
    "pessoajuridica": "PJ",
    "pessoafisica": "PF",
    "estrangeiro": "ESTRANGEIRO",
    "legal": "PJ",
    "natural": "PF",
    "foreign": "ESTRANGEIRO",
}


def kind(value: object) -> _Kind | None:
    """``PF``, ``PJ`` or ``ESTRANGEIRO`` out of a code (1 PJ, 2 PF, 3 foreign) or a word."""
    return _KINDS.get(fold(str(value or "")))


def document(value: object) -> str | None:
    """A partner's CNPJ, or the masked CPF."""
    return read_cnpj(value) or (person_document(value) if isinstance(value, str) else None)


def representative(name: object, number: object, role: CodigoDescricao | None) -> Representante | None:
    """A legal representative; ``None`` where neither name nor document stands."""
    nome, documento = read_text(name), document(number)
    if nome is None and documento is None:
        return None
    return Representante(nome=nome, documento=documento, qualificacao=role)


def by_name(partners: list[Socio]) -> list[Socio]:
    """Partners in the record's order."""
    return sorted(partners, key=lambda p: (p.nome, p.documento or "", p.model_dump_json()))
