"""``brskills historico``: what changed of a company."""

from collections.abc import Iterator
from decimal import Decimal
from functools import singledispatch
from typing import Any

from brskills.command.errors import Exit
from brskills.command.language import Texts
from brskills.command.shell import Shell
from brskills.company import Activity, Address, Coded, Partner, RegistrationStatus, TaxOption
from brskills.history import CompanyHistory
from brskills.lote.cells import masked


def show_history(shell: Shell, number: str) -> Exit:
    """Show the changes of a company, newest first."""
    with shell.client() as client:
        found = client.history(number)
    shell.show(found, _lines(found, shell.text))
    if not found.mudancas:
        shell.log(shell.text("unchanged", day=found.desde))
    return Exit.OK


def _lines(found: CompanyHistory, words: Texts) -> Iterator[str]:
    yield f"cnpj: {masked(found.cnpj)}"
    yield f"desde: {found.desde}"
    yield f"data_base: {found.data_base}"
    for change in found.mudancas:
        if change.campo == "socios":
            moved = {"-": change.de, "+": change.para}
            text = "; ".join(
                f"{sign} {shown(partners, words)}" for sign, partners in moved.items() if partners
            )
        else:
            text = f"{shown(change.de, words)} → {shown(change.para, words)}"
        yield f"{change.data_base} {change.campo}: {text}"


@singledispatch
def shown(value: Any, _text: Texts) -> str:
    """Return the value of a change in one line."""
    return "—" if value is None else str(value)


@shown.register
def _(value: RegistrationStatus, text: Texts) -> str:
    return f"{shown(value.descricao, text)} ({shown(value.data, text)})"


@shown.register(Coded)
@shown.register(Activity)
def _(value: Coded | Activity, text: Texts) -> str:
    return shown(value.descricao or value.codigo, text)


@shown.register
def _(value: Decimal, _text: Texts) -> str:
    return format(value, "f")


@shown.register
def _(value: TaxOption, text: Texts) -> str:
    return text("yes" if value.optante else "no")


@shown.register
def _(value: Address, _text: Texts) -> str:
    street = " ".join(filter(None, (value.tipo_logradouro, value.logradouro)))
    parts = (street, value.numero, value.complemento, value.bairro, value.cep, value.municipio, value.uf)
    return ", ".join(filter(None, parts))


@shown.register
def _(value: Partner, _text: Texts) -> str:
    return value.nome


@shown.register(tuple)
def _(value: tuple[Any, ...], text: Texts) -> str:
    return ", ".join(shown(each, text) for each in value) or "—"
