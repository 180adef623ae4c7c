"""The commands of the command line with their options."""

from collections.abc import Callable
from copy import copy
from functools import partial
from pathlib import Path
from typing import Any

import click

from brskills.command.account import create_key, show_usage
from brskills.command.changes import show_changes
from brskills.command.codes import decode_code, write_code
from brskills.command.companies import search_companies, show_company
from brskills.command.completion import completion_command
from brskills.command.history import show_history
from brskills.command.language import Texts, localized_context
from brskills.command.options import (
    age_options,
    change_options,
    charge_options,
    code_argument,
    local_option,
    payee_options,
    proof_options,
    search_options,
    table_options,
    watch_options,
)
from brskills.command.payee import check_payee
from brskills.command.proofs import verify
from brskills.command.service_status import show_status
from brskills.command.shell import Shell
from brskills.command.tables import process_table
from brskills.command.watches import watch_companies
from brskills.keyfile import KEY_FILE
from brskills.local import NAMES
from brskills.settings import LONGEST_TIMEOUT, installed_version

Function = Callable[..., int]


def commands(text: Texts, language: str) -> dict[str, click.Command]:
    """Return all commands by name, in the order of the help."""
    code, local, ages = code_argument(text), local_option(text), age_options(text)
    table: dict[str, tuple[Function, list[click.Parameter]]] = {
        "pix": (write_code, [*charge_options(text), local]),
        "decode": (decode_code, [code, local]),
        "conferir": (check_payee, [code, *payee_options(text)]),
        "cnpj": (show_company, [click.Argument(["number"], metavar="CNPJ"), *ages]),
        "historico": (show_history, [click.Argument(["number"], metavar="CNPJ")]),
        "monitorar": (watch_companies, watch_options(text)),
        "mudancas": (show_changes, change_options(text)),
        "buscar": (search_companies, search_options(text)),
        "lote": (process_table, [*table_options(text), *ages]),
        "chave": (create_key, [click.Option(["--email"], metavar="EMAIL", help=text("chave_email"))]),
        "uso": (show_usage, []),
        "status": (show_status, []),
        "verificar": (verify, proof_options(text)),
    }
    made = {name: _command(name, *entry, text, language) for name, entry in table.items()}
    made["vigiar"] = copy(made["monitorar"])  # its name until 1.1
    made["vigiar"].hidden = True
    return made | {"completion": completion_command(text, [_language_option(text), _help_option(text)])}


def group_options(text: Texts) -> list[click.Parameter]:
    """Return the options of the command line itself."""
    version = _display(["--version"], lambda _ctx: f"brskills {installed_version()}", text("version"))
    return [_language_option(text), version, _help_option(text)]


def _command(
    name: str, function: Function, own: list[click.Parameter], text: Texts, language: str
) -> click.Command:
    path = click.Path(path_type=Path)
    seconds = click.FloatRange(0.1, LONGEST_TIMEOUT)
    shared = [
        click.Option(["--json"], is_flag=True, help=text("json")),
        _language_option(text),
        click.Option(["--service"], metavar="URL", help=text("service")),
        click.Option(
            ["--key-file"], metavar=text("file_metavar"), type=path, help=text("key_file", path=KEY_FILE)
        ),
        click.Option(["--timeout"], metavar="S", type=seconds, default=60, help=text("timeout")),
        _help_option(text),
    ]
    made = click.Command(
        name,
        callback=partial(_run, function, text, language),
        params=[*own, *shared],
        help=text(name, fields=", ".join(NAMES)),
        options_metavar=text("options_metavar"),
        add_help_option=False,
    )
    made.context_class = localized_context(text)
    return made


def _run(
    function: Function,
    text: Texts,
    language: str,
    *,
    json: bool,
    service: str | None,
    key_file: Path | None,
    timeout: float,
    **own: Any,
) -> int:
    return function(Shell(text, language, json, service, key_file, timeout), **own)


def _language_option(text: Texts) -> click.Option:
    return click.Option(["--lang"], type=click.Choice(["pt", "en"]), expose_value=False, help=text("lang"))


def _help_option(text: Texts) -> click.Option:
    return _display(["-h", "--help"], click.Context.get_help, text("help"))


def _display(flags: list[str], text: Callable[[click.Context], str], help_: str) -> click.Option:
    """Return an option that writes a text and ends the command."""

    def show(ctx: click.Context, _option: click.Parameter, requested: bool) -> None:
        if requested:
            click.echo(text(ctx))
            ctx.exit()

    return click.Option(flags, callback=show, is_flag=True, is_eager=True, expose_value=False, help=help_)
