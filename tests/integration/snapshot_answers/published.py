"""The rows of the register's files behind a recorded answer of Minha Receita or BrasilAPI.

No code of the registry reads the answer: its words become the files' codes, days and amounts again.
"""

from datetime import date
from pathlib import Path
from typing import Any

from tests.register.files import table_texts, write_member
from tests.register.layout import ENCODING, line, members

Json = dict[str, Any]
Rows = dict[str, list[tuple[str, ...]]]


def text(value: object) -> str:
    return "" if value is None else str(value)


def day(value: object) -> str:
    return text(value)[:10].replace("-", "")


def code(value: object, width: int) -> str:
    return "" if value is None or value == "" else str(value).zfill(width)


def yes(value: object) -> str:
    words = {True: "S", False: "N", "Sim": "S", "Não": "N"}
    return "" if value is None or value == "" else words.get(value, str(value))  # type: ignore[call-overload]


def amount(value: object) -> str:
    return (
        f"{value:.2f}".replace(".", ",") if isinstance(value, int | float) else text(value).replace(".", ",")
    )


def minhareceita(a: Json) -> Rows:
    """Return the rows by kind of file."""
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


def write_rows(folder: Path, rows: Rows, data_day: date) -> None:
    """Write the 37 zips with these rows."""
    for name, member in members(data_day).items():
        kind = name.removesuffix(".zip").rstrip("0123456789")
        first = name in {f"{kind}0.zip", f"{kind}.zip"}
        lines = table_texts(name) or [line(row) for row in rows.get(kind, []) if first]
        write_member(folder / name, member, "\n".join([*lines, "\n"]).encode(ENCODING), data_day)
