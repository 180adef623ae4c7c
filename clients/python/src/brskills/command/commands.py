"""The commands of the command line with their options."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import click

from brskills.command.account import create_key, show_usage
from brskills.command.codes import check_payee, decode_code, write_code
from brskills.command.companies import look_up_companies, show_company
from brskills.command.shell import Shell
from brskills.command.texts import Texts, localized_context
from brskills.keyfile import KEY_FILE
from brskills.local import NAMES
from brskills.settings import LONGEST_TIMEOUT, installed_version

Function = Callable[..., int]


def commands(text: Texts, language: str) -> dict[str, click.Command]:
    """Return all commands by name, in the order of the help."""
    code = click.Argument(["code"], required=False, metavar=text("code_metavar"))
    local = click.Option(["--local", "offline"], is_flag=True, help=text("local"))
    ages = [
        click.Option(["--idade-maxima"], metavar="S", type=click.IntRange(0), help=text("max_age")),
        click.Option(
            ["--idade-dados-maxima"], metavar="D", type=click.IntRange(0), help=text("max_data_age")
        ),
    ]
    table: dict[str, tuple[Function, list[click.Parameter]]] = {
        "pix": (write_code, [*_charge_options(text), local]),
        "decode": (decode_code, [code, local]),
        "conferir": (check_payee, [code, *_payee_options(text)]),
        "cnpj": (show_company, [click.Argument(["number"], metavar="CNPJ"), *ages]),
        "lote": (look_up_companies, [*_table_options(text), *ages]),
        "chave": (create_key, [click.Option(["--email"], metavar="EMAIL", help=text("chave_email"))]),
        "uso": (show_usage, []),
    }
    return {name: _command(name, *entry, text, language) for name, entry in table.items()}


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
        click.Option(["--key-file"], metavar="PATH", type=path, help=text("key_file", path=KEY_FILE)),
        click.Option(["--timeout"], metavar="S", type=seconds, default=60, help=text("timeout")),
        _help_option(text),
    ]
    made = click.Command(
        name,
        callback=partial(_run, function, text, language),
        params=[*own, *shared],
        help=text(name),
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


def _charge_options(text: Texts) -> list[click.Parameter]:
    texts = [name for name in NAMES if name not in {"uso_unico", "estrito"}]
    file = click.Path(path_type=Path, dir_okay=False, writable=True)
    return [
        *(click.Option([_flag(name)], metavar=name.upper(), help=text(f"pix_{name}")) for name in texts),
        click.Option(["--uso-unico/--reutilizavel"], default=None, help=text("pix_uso_unico")),
        click.Option(["--estrito"], is_flag=True, default=None, help=text("pix_estrito")),
        click.Option(["--png"], metavar="PATH", type=file, help=text("pix_png")),
        click.Option(["--svg"], metavar="PATH", type=file, help=text("pix_svg")),
    ]


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _payee_options(text: Texts) -> list[click.Parameter]:
    return [
        click.Option(["--chave"], metavar="CNPJ", help=text("conferir_chave")),
        click.Option(["--tipo-chave"], metavar="TIPO_CHAVE", help=text("conferir_tipo")),
        click.Option(["--nome-recebedor"], metavar="NOME", help=text("conferir_nome")),
        click.Option(["--aceitar-desconhecido"], is_flag=True, help=text("conferir_unknown")),
    ]


def _table_options(text: Texts) -> list[click.Parameter]:
    file = click.Path(path_type=Path, dir_okay=False)
    count, few = click.IntRange(1), click.IntRange(1, 16)
    return [
        click.Argument(["source"], metavar=text("lote_input"), type=file),
        click.Option(["-o", "--output"], metavar="PATH", type=file, help=text("lote_output")),
        click.Option(["--coluna"], metavar="COLUNA", help=text("lote_column")),
        click.Option(
            ["--rounds", "max_rounds"], metavar="N", type=count, default=4, help=text("lote_rounds")
        ),
        click.Option(["--concurrency"], metavar="N", type=few, default=4, help=text("lote_concurrency")),
        click.Option(["--flying", "concurrency"], type=few, default=4, hidden=True),  # the former name
        click.Option(["--replace"], is_flag=True, help=text("lote_replace")),
    ]
