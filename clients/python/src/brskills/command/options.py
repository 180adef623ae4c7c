"""The options of single commands."""

from pathlib import Path

import click

from brskills.command.language import Texts
from brskills.local import NAMES

LISTS = (
    "nome", "raiz", "cnae", "cnae_principal", "uf", "municipio", "cep", "natureza_juridica", "porte",
    "situacao", "socio_cnpj",
)  # fmt: skip
"""The fields of a search that take several values."""
DAYS = ("aberta_de", "aberta_ate")


def code_argument(text: Texts) -> click.Argument:
    """Return the argument of a code; without it, standard input is read."""
    return click.Argument(["code"], required=False, metavar=text("code_metavar"))


def local_option(text: Texts) -> click.Option:
    """Return the option to work without the service."""
    return click.Option(["--local", "offline"], is_flag=True, help=text("local"))


def age_options(text: Texts) -> list[click.Parameter]:
    """Return the options of the maximum ages of a record."""
    return [
        click.Option(["--idade-maxima"], metavar="S", type=click.IntRange(0), help=text("max_age")),
        click.Option(
            ["--idade-dados-maxima"], metavar="D", type=click.IntRange(0), help=text("max_data_age")
        ),
    ]


def charge_options(text: Texts) -> list[click.Parameter]:
    """Return the fields of a code, and the images to write."""
    texts = [name for name in NAMES if name not in {"uso_unico", "estrito"}]
    file = click.Path(path_type=Path, dir_okay=False, writable=True)
    return [
        *(click.Option([_flag(name)], metavar=name.upper(), help=text(f"pix_{name}")) for name in texts),
        click.Option(["--uso-unico/--reutilizavel"], default=None, help=text("pix_uso_unico")),
        click.Option(["--estrito"], is_flag=True, default=None, help=text("pix_estrito")),
        click.Option(["--png"], metavar=text("file_metavar"), type=file, help=text("pix_png")),
        click.Option(["--svg"], metavar=text("file_metavar"), type=file, help=text("pix_svg")),
    ]


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def payee_options(text: Texts) -> list[click.Parameter]:
    """Return the options to check a payee without a code."""
    return [
        click.Option(["--chave"], metavar="CNPJ", help=text("conferir_chave")),
        click.Option(["--tipo-chave"], metavar=text("type_metavar"), help=text("conferir_tipo")),
        click.Option(["--nome-recebedor"], metavar=text("name_metavar"), help=text("conferir_nome")),
        click.Option(["--seguir"], is_flag=True, default=None, help=text("conferir_seguir")),
        click.Option(["--url"], metavar="URL", help=text("conferir_url")),
        click.Option(["--url-recorrencia"], metavar="URL", help=text("conferir_url_recorrencia")),
        click.Option(["--aceitar-desconhecido"], is_flag=True, help=text("conferir_unknown")),
    ]


def search_options(text: Texts) -> list[click.Parameter]:
    """Return the fields of a search, and where and how much to write."""
    file = click.Path(path_type=Path, dir_okay=False)
    return [
        *(
            click.Option([_flag(name)], metavar=name.upper(), multiple=True, help=text(f"buscar_{name}"))
            for name in LISTS
        ),
        *(
            click.Option([_flag(name)], metavar=text("day_metavar"), help=text(f"buscar_{name}"))
            for name in DAYS
        ),
        click.Option(["--matriz/--filial"], default=None, help=text("buscar_matriz")),
        click.Option(["--mei/--nao-mei"], default=None, help=text("buscar_mei")),
        click.Option(["--simples/--nao-simples"], default=None, help=text("buscar_simples")),
        click.Option(["--limite"], type=click.IntRange(1, 100), default=100, help=text("buscar_limite")),
        click.Option(
            ["--paginas"], metavar="N", type=click.IntRange(1), default=1, help=text("buscar_paginas")
        ),
        click.Option(["--cursor"], metavar="CURSOR", help=text("buscar_cursor")),
        click.Option(["-o", "--saida"], metavar=text("file_metavar"), type=file, help=text("buscar_saida")),
        click.Option(["--replace"], is_flag=True, help=text("lote_replace")),
        click.Option(["-q", "--quiet"], is_flag=True, help=text("lote_quiet")),
    ]


def watch_options(text: Texts) -> list[click.Parameter]:
    """Return the companies to watch, and what else to do with watched ones."""
    return [
        click.Argument(["sources"], nargs=-1, metavar=text("monitorar_input")),
        click.Option(["--lista"], is_flag=True, help=text("monitorar_lista")),
        click.Option(["--parar"], metavar="CNPJ", multiple=True, help=text("monitorar_parar")),
    ]


def change_options(text: Texts) -> list[click.Parameter]:
    """Return where a feed is read from, how far, and where it is written."""
    file = click.Path(path_type=Path, dir_okay=False)
    return [
        click.Option(["--cursor"], metavar="CURSOR", help=text("mudancas_cursor")),
        click.Option(["--seguir"], is_flag=True, help=text("mudancas_seguir")),
        click.Option(["-o", "--saida"], metavar=text("file_metavar"), type=file, help=text("buscar_saida")),
        click.Option(["--replace", "overwrite"], is_flag=True, help=text("lote_replace")),
    ]


def proof_options(text: Texts) -> list[click.Parameter]:
    """Return the file of a proof, and that of the keys."""
    file = click.Path(path_type=Path, exists=True, dir_okay=False, allow_dash=True)
    return [
        click.Argument(["proof"], metavar=text("proof_metavar"), type=file),
        click.Option(["--chaves"], metavar=text("file_metavar"), type=file, help=text("proof_keys")),
    ]


def table_options(text: Texts) -> list[click.Parameter]:
    """Return the files of `lote` and how to work on them."""
    file = click.Path(path_type=Path, dir_okay=False)
    folder = click.Path(path_type=Path, file_okay=False)
    count, few = click.IntRange(1), click.IntRange(1, 16)
    return [
        click.Argument(["source"], metavar=text("lote_input"), type=file),
        click.Option(["-o", "--output"], metavar=text("file_metavar"), type=file, help=text("lote_output")),
        click.Option(["--tipo"], type=click.Choice(["cnpj", "pix"]), help=text("lote_kind")),
        click.Option(["--coluna"], metavar=text("column_metavar"), help=text("lote_column")),
        click.Option(["--qr"], type=click.Choice(["png", "svg"]), help=text("lote_qr")),
        click.Option(["--pasta"], metavar=text("folder_metavar"), type=folder, help=text("lote_folder")),
        click.Option(
            ["--rounds", "max_rounds"], metavar="N", type=count, default=4, help=text("lote_rounds")
        ),
        click.Option(["--concurrency"], metavar="N", type=few, default=4, help=text("lote_concurrency")),
        click.Option(["--replace"], is_flag=True, help=text("lote_replace")),
        click.Option(["-q", "--quiet"], is_flag=True, help=text("lote_quiet")),
    ]
