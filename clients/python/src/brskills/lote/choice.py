"""The choice of what a table's rows ask for, by ``--tipo`` or by the header."""

from brskills.command.errors import Misuse
from brskills.command.shell import Shell
from brskills.lote.bad_table import BadTable
from brskills.lote.charge import charge_columns
from brskills.lote.companies import Companies, number_column
from brskills.lote.kind import Kind
from brskills.lote.options import Options
from brskills.lote.pix_codes import PixCodes
from brskills.lote.table import Table


def choose_kind(shell: Shell, table: Table, options: Options) -> Kind:
    """Return the kind of the table's rows. Raise `BadTable`, or `Misuse` for an option of another kind."""
    fields = charge_columns(table.header) if options.tipo != "cnpj" else None
    if options.tipo == "pix" and fields is None:
        raise BadTable("no_fields")
    kind: Kind
    foreign: dict[str, object]
    if fields is not None:
        foreign, only = {"--coluna": options.coluna} | _age_options(options), "cnpj"
        if unused := [name for index, name in enumerate(table.header) if index not in fields.values()]:
            shell.log(shell.text("unused_columns", names=", ".join(unused)))
        kind = PixCodes(fields, shell.text, shell.language)
    else:
        foreign, only = {"--qr": options.qr, "--pasta": options.pasta}, "pix"
        kind = Companies(table, number_column(table, options.coluna), shell.text, options.ages)
    for name, value in foreign.items():
        if value is not None:
            raise Misuse(shell.text("only_for", name=name, kind=f"--tipo {only}"))
    return kind


def _age_options(options: Options) -> dict[str, object]:
    return {f"--{name.replace('_', '-')}": age for name, age in options.ages.items()}
