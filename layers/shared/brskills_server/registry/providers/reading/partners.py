"""The partners of a company, sorted, with masked documents of people, and ``None`` for marks of "none"."""

from typing import Literal

from brskills_server.registry.company import Representante, Socio
from brskills_server.registry.privacy import person_document
from brskills_server.registry.providers.reading.source import Source
from brskills_server.registry.tables import fold
from brskills_server.registry.values import read_age_band, read_cnpj

_Kind = Literal["PF", "PJ", "ESTRANGEIRO"]
_KINDS: dict[str, _Kind] = {
    **dict.fromkeys(("1", "pessoajuridica", "legal"), "PJ"),
    **dict.fromkeys(("2", "pessoafisica", "natural"), "PF"),
    **dict.fromkeys(("3", "estrangeiro", "foreign"), "ESTRANGEIRO"),
}


def read_partners(rows: list[Source]) -> list[Socio]:
    """Return the partners by name, without rows that have none."""
    partners = [_partner(row, name) for row in rows if (name := row.text("nome"))]
    return sorted(partners, key=lambda p: (p.nome, p.documento or "", p.model_dump_json()))


def _partner(row: Source, name: str) -> Socio:
    return Socio(
        nome=name,
        tipo=_KINDS.get(fold(str(row.value("tipo") or ""))),
        documento=_document(row.value("documento")),
        qualificacao=row.coded("qualificacoes_socio", "qualificacao"),
        data_entrada=row.date("data_entrada"),
        faixa_etaria=read_age_band(row.value("faixa_etaria")),
        pais=row.country(),
        representante_legal=_representative(row.part("representante_legal")),
    )


def _representative(source: Source) -> Representante | None:
    name, document = source.text("nome"), _document(source.value("documento"))
    role = source.coded("qualificacoes_socio", "qualificacao")
    if name is None and document is None:
        return None
    return Representante(nome=name, documento=document, qualificacao=role)


def _document(value: object) -> str | None:
    """Return a CNPJ, or a masked CPF."""
    return read_cnpj(value) or (person_document(value) if isinstance(value, str) else None)
