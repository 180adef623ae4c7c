"""What the register's files must have held for a provider to give a recorded answer: rows, from its raw JSON.

No code of the registry reads the answer: each provider's words are translated back into the files' codes,
days and amounts.
"""

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

from brskills_server.registry import tables
from tests.register.files import table_texts, write_member
from tests.register.layout import ENCODING, members
from tests.register.rows import line

Json = dict[str, Any]
Rows = dict[str, list[tuple[str, ...]]]

NOBODY = "***000000**"
HEAD_OFFICE = {"Matriz": "1", "Filial": "2"}


def text(value: object) -> str:
    return "" if value is None else str(value)


def day(value: object) -> str:
    return text(value)[:10].replace("-", "")


def code(value: object, width: int) -> str:
    return "" if value is None or value == "" else str(value).zfill(width)


def named(table: str, words: object) -> str:
    """The code of an official text, the reverse of what the provider did."""
    return tables.code_of(table, text(words)) or "" if words else ""


def yes(value: object) -> str:
    words = {True: "S", False: "N", "Sim": "S", "Não": "N"}
    return "" if value is None or value == "" else words.get(value, str(value))  # type: ignore[call-overload]


def amount(value: object) -> str:
    return (
        f"{value:.2f}".replace(".", ",") if isinstance(value, int | float) else text(value).replace(".", ",")
    )


def minhareceita(a: Json) -> Rows:
    """Also BrasilAPI's."""
    root, rest = a["cnpj"][:8], a["cnpj"]
    phones = [(n[:2], n[2:]) for n in (text(a.get(f"ddd_telefone_{i}")) for i in (1, 2))]
    fax = text(a.get("ddd_fax"))
    return {
        "Empresas": [
            (
                root, a["razao_social"], code(a["codigo_natureza_juridica"], 4),
                code(a.get("qualificacao_do_responsavel"), 2), amount(a["capital_social"]),
                code(a["codigo_porte"], 2), text(a.get("ente_federativo_responsavel")),
            )
        ],
        "Estabelecimentos": [
            (
                root, rest[8:12], rest[12:], text(a["identificador_matriz_filial"]), text(a["nome_fantasia"]),
                code(a["situacao_cadastral"], 2), day(a["data_situacao_cadastral"]),
                code(a["motivo_situacao_cadastral"], 2), text(a["nome_cidade_no_exterior"]),
                code(a["codigo_pais"], 3), day(a["data_inicio_atividade"]), code(a["cnae_fiscal"], 7),
                ",".join(code(c["codigo"], 7) for c in a["cnaes_secundarios"]),
                text(a["descricao_tipo_de_logradouro"]), text(a["logradouro"]), text(a["numero"]),
                text(a["complemento"]), text(a["bairro"]), text(a["cep"]), a["uf"],
                code(a["codigo_municipio"], 4), *phones[0], *phones[1], fax[:2], fax[2:],
                text(a.get("email")),
                text(a["situacao_especial"]), day(a["data_situacao_especial"]),
            )
        ],
        "Socios": [
            (
                root, text(p["identificador_de_socio"]), p["nome_socio"], text(p["cnpj_cpf_do_socio"]),
                code(p["codigo_qualificacao_socio"], 2), day(p["data_entrada_sociedade"]),
                code(p.get("codigo_pais"), 3), text(p["cpf_representante_legal"]),
                text(p["nome_representante_legal"]), code(p["codigo_qualificacao_representante_legal"], 2),
                text(p.get("codigo_faixa_etaria")),
            )
            for p in a["qsa"]
        ],
        "Simples": [
            (
                root, yes(a["opcao_pelo_simples"]), day(a["data_opcao_pelo_simples"]),
                day(a["data_exclusao_do_simples"]), yes(a["opcao_pelo_mei"]), day(a["data_opcao_pelo_mei"]),
                day(a["data_exclusao_do_mei"]),
            )
        ],
    }  # fmt: skip


_AGES = {
    "Não se aplica": "0",
    "61 a 70 anos": "7",
    "51 a 60 anos": "6",
    "41 a 50 anos": "5",
    "21 a 30 anos": "3",
}
_KINDS = {"Pessoa Jurídica": "1", "Pessoa Física": "2", "Estrangeiro": "3"}


def opencnpj(a: Json) -> Rows:
    root, rest = a["cnpj"][:8], a["cnpj"]
    phones = [(p["ddd"], p["numero"]) for p in a["telefones"] if not p["is_fax"]] + [("", "")] * 2
    fax = [(p["ddd"], p["numero"]) for p in a["telefones"] if p["is_fax"]] + [("", "")]
    reason = a.get("motivo_situacao_cadastral") or {}
    return {
        "Empresas": [
            (
                root, a["razao_social"], named("naturezas_juridicas", a["natureza_juridica"]), "",
                a["capital_social"], named("portes", a["porte_empresa"]), text(a.get("ente_federativo")),
            )
        ],
        "Estabelecimentos": [
            (
                root, rest[8:12], rest[12:], HEAD_OFFICE[a["matriz_filial"]], a["nome_fantasia"],
                named("situacoes", a["situacao_cadastral"]), day(a["data_situacao_cadastral"]),
                text(reason.get("codigo")), text(a.get("nome_cidade_exterior")), text(a.get("codigo_pais")),
                day(a["data_inicio_atividade"]), a["cnae_principal"], ",".join(a["cnaes_secundarios"]),
                text(a.get("tipo_logradouro")), a["logradouro"], a["numero"], a["complemento"], a["bairro"],
                a["cep"], a["uf"], a.get("codigo_municipio") or named("municipios_siafi", a["municipio"]),
                *phones[0], *phones[1], *fax[0], a["email"], text(a.get("situacao_especial")),
                day(a.get("data_situacao_especial")),
            )
        ],
        "Socios": [
            (
                root, _KINDS[p["identificador_socio"]], p["nome_socio"], p["cnpj_cpf_socio"],
                named("qualificacoes_socio", p["qualificacao_socio"]), day(p["data_entrada_sociedade"]),
                text(p.get("codigo_pais")), text(p.get("representante_legal")) or NOBODY,
                text(p.get("nome_representante")),
                text((p.get("qualificacao_representante") or {}).get("codigo")) or "00",
                _AGES[p["faixa_etaria"]],
            )
            for p in a["QSA"]
        ],
        "Simples": [
            (
                root, a["opcao_simples"], day(a["data_opcao_simples"]), day(a.get("data_exclusao_simples")),
                a["opcao_mei"], day(a["data_opcao_mei"]), day(a.get("data_exclusao_mei")),
            )
        ],
    }  # fmt: skip


def cnpjws(a: Json) -> Rows:
    root, e, s = a["cnpj_raiz"], a["estabelecimento"], a["simples"] or {}
    return {
        "Empresas": [
            (
                root, a["razao_social"], a["natureza_juridica"]["id"], "", amount(a["capital_social"]),
                a["porte"]["id"], text(a["responsavel_federativo"]),
            )
        ],
        "Estabelecimentos": [
            (
                root, e["cnpj"][8:12], e["cnpj"][12:], HEAD_OFFICE[e["tipo"]],
                text(e["nome_fantasia"]), named("situacoes", e["situacao_cadastral"]),
                day(e["data_situacao_cadastral"]), code((e["motivo_situacao_cadastral"] or {}).get("id"), 2),
                text(e["nome_cidade_exterior"]), "", day(e["data_inicio_atividade"]),
                e["atividade_principal"]["id"], ",".join(c["id"] for c in e["atividades_secundarias"]),
                text(e["tipo_logradouro"]), text(e["logradouro"]), text(e["numero"]), text(e["complemento"]),
                text(e["bairro"]), e["cep"], e["estado"]["sigla"], e["cidade"]["siafi_id"], text(e["ddd1"]),
                text(e["telefone1"]), text(e["ddd2"]), text(e["telefone2"]), text(e["ddd_fax"]),
                text(e["fax"]),
                text(e["email"]), text(e["situacao_especial"]), day(e["data_situacao_especial"]),
            )
        ],
        "Socios": [
            (
                root, _KINDS[p["tipo"]], p["nome"], p["cpf_cnpj_socio"],
                code(p["qualificacao_socio"]["id"], 2), day(p["data_entrada"]), "",
                text(p["cpf_representante_legal"]), text(p["nome_representante"]), "00",
                _AGES[p["faixa_etaria"]],
            )
            for p in a["socios"]
        ],
        "Simples": [
            (
                root, yes(s.get("simples")), day(s.get("data_opcao_simples")),
                day(s.get("data_exclusao_simples")), yes(s.get("mei")), day(s.get("data_opcao_mei")),
                day(s.get("data_exclusao_mei")),
            )
        ],
    }  # fmt: skip


ROWS_OF: dict[str, Callable[[Json], Rows]] = {
    "opencnpj": opencnpj,
    "brasilapi": minhareceita,
    "minhareceita": minhareceita,
    "cnpjws": cnpjws,
}


def write_rows(folder: Path, rows: Rows, data_day: date) -> None:
    """The 37 zips with these rows."""
    for name, member in members(data_day).items():
        kind = name.removesuffix(".zip").rstrip("0123456789")
        first = name in {f"{kind}0.zip", f"{kind}.zip"}
        lines = table_texts(name) or [line(row) for row in rows.get(kind, []) if first]
        write_member(folder / name, member, "\n".join([*lines, "\n"]).encode(ENCODING), data_day)
