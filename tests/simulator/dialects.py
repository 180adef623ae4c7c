"""A canonical company in the words of each provider, with its way to write codes, days and "none"."""

import struct
from collections.abc import Callable
from typing import Any

Json = dict[str, Any]

UNKNOWN = {"codigo": "00", "descricao": "Não informada"}
KINDS = {"PJ": "Pessoa Jurídica", "PF": "Pessoa Física", "ESTRANGEIRO": "Estrangeiro"}


def _code(item: Json | None) -> str | None:
    return item["codigo"] if item else None


def _words(item: Json | None) -> str | None:
    return item["descricao"] if item else None


def _same(record: Json, *names: str) -> Json:
    return {name: record[name] for name in names}


def _texts(record: Json, *names: str) -> Json:
    """Return members by the same names, an empty text for each that is ``None``."""
    return {name: record[name] or "" for name in names}


def _int(code: str | None) -> int | None:
    return int(code) if code else None


def float32(amount: str | None) -> int | float | None:
    """The amount as Minha Receita holds it: the shortest decimal of a 32-bit float."""
    if amount is None:
        return None
    single = struct.unpack("f", struct.pack("f", float(amount)))[0]
    for digits in range(1, 10):
        short = float(f"{single:.{digits}g}")
        if struct.pack("f", short) == struct.pack("f", single):
            break
    return int(short) if short == int(short) else short


def minhareceita(c: Json) -> Json:
    place, state = c["endereco"], c["situacao_cadastral"]
    numbers = [f"{phone['ddd'] or ''}{phone['numero']}" for phone in c["telefones"]] + ["", ""]
    return {
        **_same(c, "cnpj", "razao_social", "data_inicio_atividade"),
        "identificador_matriz_filial": 1 if c["matriz"] else 2,
        **_texts(c, "nome_fantasia", "situacao_especial"),
        "data_situacao_especial": c["data_situacao_especial"],
        "qualificacao_do_responsavel": _int(_code(c["qualificacao_do_responsavel"])),
        "situacao_cadastral": _int(state["codigo"]),
        "descricao_situacao_cadastral": state["descricao"],
        "data_situacao_cadastral": state["data"],
        "motivo_situacao_cadastral": _int(_code(state["motivo"])),
        "descricao_motivo_situacao_cadastral": _words(state["motivo"]),
        "codigo_natureza_juridica": _int(_code(c["natureza_juridica"])),
        "natureza_juridica": _words(c["natureza_juridica"]),
        "codigo_porte": _int(_code(c["porte"])),
        "porte": _words(c["porte"]),
        "capital_social": float32(c["capital_social"]),
        "cnae_fiscal": _int(_code(c["cnae_principal"])),
        "cnae_fiscal_descricao": _words(c["cnae_principal"]),
        "cnaes_secundarios": [
            {"codigo": int(row["codigo"]), "descricao": row["descricao"]} for row in c["cnaes_secundarios"]
        ],
        "descricao_tipo_de_logradouro": place["tipo_logradouro"],
        **_same(place, "logradouro", "numero", "bairro", "cep", "municipio", "uf"),
        "complemento": place["complemento"] or "",
        "codigo_municipio": _int(place["codigo_siafi"]),
        "codigo_municipio_ibge": _int(place["codigo_ibge"]),
        "pais": None,
        "codigo_pais": None,
        "nome_cidade_no_exterior": place["cidade_exterior"] or "",
        "ddd_telefone_1": numbers[0],
        "ddd_telefone_2": numbers[1],
        "ddd_fax": f"{c['fax']['ddd'] or ''}{c['fax']['numero']}" if c["fax"] else "",
        "email": None,
        **_dump_option("simples", c["simples"]),
        **_dump_option("mei", c["mei"]),
        "qsa": [_dump_partner(partner) for partner in reversed(c["socios"])],
        "ente_federativo_responsavel": c["ente_federativo"] or "",
    }


def _dump_option(name: str, option: Json | None) -> Json:
    start, end = _option_days(option)
    return {
        f"opcao_pelo_{name}": option and option["optante"],
        f"data_opcao_pelo_{name}": start,
        f"data_exclusao_do_{name}": end,
    }


def _option_days(option: Json | None) -> tuple[str | None, str | None]:
    """ "Never" is written as an exclusion on the day of the option."""
    if option and option["data_sem_efeito"]:
        return option["data_sem_efeito"], option["data_sem_efeito"]
    return (option["data_opcao"], option["data_exclusao"]) if option else (None, None)


def _dump_partner(p: Json) -> Json:
    agent = p["representante_legal"]
    return {
        "nome_socio": p["nome"],
        "identificador_de_socio": {"PJ": 1, "PF": 2, "ESTRANGEIRO": 3}[p["tipo"]],
        "cnpj_cpf_do_socio": p["documento"] or "",
        "codigo_qualificacao_socio": _int(_code(p["qualificacao"])),
        "qualificacao_socio": _words(p["qualificacao"]),
        "data_entrada_sociedade": p["data_entrada"],
        "faixa_etaria": f"Entre {p['faixa_etaria']}" if p["faixa_etaria"] else "Não se aplica",
        "codigo_pais": None,
        "pais": p["pais"],
        "nome_representante_legal": agent["nome"] if agent else "",
        "cpf_representante_legal": agent["documento"] if agent else "***000000**",
        "codigo_qualificacao_representante_legal": _int(_code(agent["qualificacao"])) if agent else 0,
        "qualificacao_representante_legal": _words(agent["qualificacao"]) if agent else "Não informada",
    }


def opencnpj(c: Json) -> Json:
    place, state = c["endereco"], c["situacao_cadastral"]
    simples, mei = _option_days(c["simples"]), _option_days(c["mei"])
    return {
        **_same(c, "cnpj", "razao_social"),
        "matriz_filial": "Matriz" if c["matriz"] else "Filial",
        **_texts(
            c, "nome_fantasia", "data_inicio_atividade", "email", "situacao_especial", "ente_federativo"
        ),
        **_texts(c, "data_situacao_especial"),
        "qualificacao_responsavel": c["qualificacao_do_responsavel"],
        "situacao_cadastral": (state["descricao"] or "").capitalize(),
        "data_situacao_cadastral": state["data"] or "",
        "motivo_situacao_cadastral": state["motivo"] or {"codigo": "", "descricao": ""},
        "natureza_juridica": _words(c["natureza_juridica"]) or "",
        "porte_empresa": (_words(c["porte"]) or "").capitalize(),
        "capital_social": (c["capital_social"] or "").replace(".", ","),
        "cnae_principal": _code(c["cnae_principal"]) or "",
        "cnaes_secundarios": [row["codigo"] for row in c["cnaes_secundarios"]],
        **_same(place, "tipo_logradouro", "logradouro", "numero", "bairro", "cep", "municipio", "uf"),
        "complemento": (place["complemento"] or "").replace(" ", "     "),
        "codigo_municipio": place["codigo_siafi"],
        "pais": {"codigo": "", "descricao": ""},
        "nome_cidade_exterior": place["cidade_exterior"] or "",
        "telefones": [
            *({"ddd": p["ddd"] or "", "numero": p["numero"], "is_fax": False} for p in c["telefones"]),
            *(
                [{"ddd": c["fax"]["ddd"] or "", "numero": c["fax"]["numero"], "is_fax": True}]
                if c["fax"]
                else []
            ),
        ],
        "opcao_simples": _yes(c["simples"], "S", "N", ""),
        "data_opcao_simples": simples[0] or "",
        "data_exclusao_simples": simples[1] or "",
        "opcao_mei": _yes(c["mei"], "S", "N", ""),
        "data_opcao_mei": mei[0] or "",
        "data_exclusao_mei": mei[1] or "",
        "QSA": [_open_partner(partner) for partner in c["socios"]],
    }


def _yes(option: Json | None, yes: str, no: str, unknown: str | None) -> str | None:
    return unknown if option is None else yes if option["optante"] else no


def _open_partner(p: Json) -> Json:
    agent = p["representante_legal"]
    return {
        "nome_socio": p["nome"],
        "identificador_socio": KINDS[p["tipo"]],
        "cnpj_cpf_socio": p["documento"] or "",
        "qualificacao_socio": _words(p["qualificacao"]) or "",
        "data_entrada_sociedade": p["data_entrada"] or "",
        "faixa_etaria": p["faixa_etaria"] or "Não se aplica",
        "pais": {"codigo": "", "descricao": p["pais"] or ""},
        "nome_representante": agent["nome"] if agent else "",
        "representante_legal": agent["documento"] if agent else "***000000**",
        "qualificacao_representante": agent["qualificacao"] if agent else UNKNOWN,
    }


def cnpjws(c: Json) -> Json:
    place, state = c["endereco"], c["situacao_cadastral"]
    first, second = [*c["telefones"], {}, {}][:2]
    options = [c["simples"], c["mei"]]
    simples, mei = (_option_days(option) for option in options)
    return {
        "cnpj_raiz": c["cnpj"][:8],
        **_same(c, "razao_social", "capital_social"),
        "responsavel_federativo": c["ente_federativo"] or "",
        "porte": _item(c["porte"]),
        "natureza_juridica": _item(c["natureza_juridica"]),
        "qualificacao_do_responsavel": _item(c["qualificacao_do_responsavel"]),
        "socios": [_ws_partner(partner) for partner in c["socios"]],
        "simples": None
        if options == [None, None]
        else {
            "simples": _yes(c["simples"], "Sim", "Não", None),
            "data_opcao_simples": simples[0],
            "data_exclusao_simples": simples[1],
            "mei": _yes(c["mei"], "Sim", "Não", None),
            "data_opcao_mei": mei[0],
            "data_exclusao_mei": mei[1],
        },
        "estabelecimento": {
            "cnpj": c["cnpj"],
            "tipo": "Matriz" if c["matriz"] else "Filial",
            **_same(c, "nome_fantasia", "data_inicio_atividade", "email", "situacao_especial"),
            **_same(c, "data_situacao_especial"),
            "situacao_cadastral": (state["descricao"] or "").capitalize(),
            "data_situacao_cadastral": state["data"],
            "motivo_situacao_cadastral": _item(state["motivo"]),
            "atividade_principal": _item(c["cnae_principal"]) or {},
            "atividades_secundarias": [_item(row) for row in c["cnaes_secundarios"]],
            **_same(place, "tipo_logradouro", "logradouro", "numero", "complemento", "bairro", "cep"),
            "cidade": {
                "nome": (place["municipio"] or "").title(),
                "ibge_id": _int(place["codigo_ibge"]),
                "siafi_id": place["codigo_siafi"],
            },
            "estado": {"sigla": place["uf"]},
            "pais": {"id": "1058", "nome": "Brasil", "comex_id": "105"},
            "nome_cidade_exterior": place["cidade_exterior"],
            "ddd1": first.get("ddd"),
            "telefone1": first.get("numero"),
            "ddd2": second.get("ddd"),
            "telefone2": second.get("numero"),
            "ddd_fax": c["fax"] and c["fax"]["ddd"],
            "fax": c["fax"] and c["fax"]["numero"],
            "inscricoes_estaduais": [
                {"inscricao_estadual": row["numero"], "ativo": row["ativa"], "estado": {"sigla": row["uf"]}}
                for row in reversed(c["inscricoes_estaduais"])
            ],
            "atualizado_em": "2026-10-08T03:00:00.000Z",
        },
    }


def _item(item: Json | None) -> Json | None:
    return item and {"id": item["codigo"], "descricao": f"{item['descricao']} "}


def _ws_partner(p: Json) -> Json:
    agent = p["representante_legal"]
    return {
        "nome": p["nome"],
        "tipo": KINDS[p["tipo"]],
        "cpf_cnpj_socio": p["documento"] or "",
        "qualificacao_socio": _item(p["qualificacao"]),
        "data_entrada": p["data_entrada"],
        "faixa_etaria": p["faixa_etaria"] or "Não se aplica",
        "pais": {"nome": p["pais"]} if p["pais"] else {"id": "1058", "nome": "Brasil", "comex_id": "105"},
        "nome_representante": agent["nome"] if agent else None,
        "cpf_representante_legal": agent["documento"] if agent else "***000000**",
        "qualificacao_representante": _item(agent["qualificacao"]) if agent else None,
    }


def cnpja(c: Json) -> Json:
    place, state = c["endereco"], c["situacao_cadastral"]
    return {
        "updated": "2026-11-19T00:00:00.000Z",
        "taxId": c["cnpj"],
        "alias": c["nome_fantasia"],
        "founded": c["data_inicio_atividade"],
        "head": c["matriz"],
        "company": {
            "id": int(c["cnpj"][:8]) if c["cnpj"][:8].isdigit() else c["cnpj"][:8],
            "name": c["razao_social"],
            "equity": float(c["capital_social"]) if c["capital_social"] else None,
            "nature": _number(c["natureza_juridica"]),
            "size": _number(c["porte"]),
            "members": [_office_partner(partner) for partner in c["socios"]],
            "simples": _optant(c["simples"]),
            "simei": _optant(c["mei"]),
            "jurisdiction": c["ente_federativo"],
        },
        "status": _number(state),
        "statusDate": state["data"],
        "reason": _number(state["motivo"]),
        "special": c["situacao_especial"] and {"text": c["situacao_especial"]},
        "specialDate": c["data_situacao_especial"],
        "address": {
            "municipality": _int(place["codigo_ibge"]),
            "street": f"{place['tipo_logradouro']} {place['logradouro']}",
            "number": place["numero"],
            "details": place["complemento"],
            "district": place["bairro"],
            "city": place["municipio"],
            "state": place["uf"],
            "zip": place["cep"],
            "country": {"id": 76, "name": "Brasil"},
        },
        "phones": [
            {"type": kind, "area": p["ddd"], "number": p["numero"]}
            for kind, phones in (("FAX", [c["fax"]] if c["fax"] else []), ("LANDLINE", c["telefones"]))
            for p in phones
        ],
        "emails": [{"address": c["email"]}] if c["email"] else [],
        "mainActivity": _number(c["cnae_principal"]) or {},
        "sideActivities": [_number(row) for row in c["cnaes_secundarios"]],
        "registrations": [
            {"number": row["numero"], "state": row["uf"], "enabled": row["ativa"]}
            for row in reversed(c["inscricoes_estaduais"])
        ],
    }


def _number(item: Json | None) -> Json | None:
    return item and {"id": _int(item["codigo"]), "text": item["descricao"]}


def _optant(option: Json | None) -> Json | None:
    return option and {"optant": option["optante"], "since": option["data_opcao"]}


def _office_partner(p: Json) -> Json:
    agent = p["representante_legal"]
    person = {
        "name": p["nome"],
        "type": {"PJ": "LEGAL", "PF": "NATURAL", "ESTRANGEIRO": "FOREIGN"}[p["tipo"]],
        "taxId": p["documento"],
        "age": p["faixa_etaria"] and p["faixa_etaria"].replace(" a ", "-").replace(" anos", ""),
    }
    if p["pais"]:
        person["country"] = {"name": p["pais"]}
    member = {"since": p["data_entrada"], "role": _number(p["qualificacao"]), "person": person}
    if agent:
        of_agent = {"name": agent["nome"], "taxId": agent["documento"]}
        member["agent"] = {"person": of_agent, "role": _number(agent["qualificacao"])}
    return member


def receitaws(c: Json) -> Json:
    place, state = c["endereco"], c["situacao_cadastral"]
    n = c["cnpj"]
    zip_code = place["cep"]
    return {
        "status": "OK",
        "cnpj": f"{n[:2]}.{n[2:5]}.{n[5:8]}/{n[8:12]}-{n[12:]}",
        "tipo": "MATRIZ" if c["matriz"] else "FILIAL",
        "nome": c["razao_social"],
        "fantasia": c["nome_fantasia"] or "",
        "abertura": _day(c["data_inicio_atividade"]),
        "situacao": state["descricao"],
        "data_situacao": _day(state["data"]),
        "motivo_situacao": (_words(state["motivo"]) or "").title(),
        "natureza_juridica": _natureza(c["natureza_juridica"]),
        "porte": _words(c["porte"]),
        **_texts(c, "capital_social", "email", "situacao_especial"),
        "data_situacao_especial": _day(c["data_situacao_especial"]),
        "atividade_principal": [_cnae(c["cnae_principal"])],
        "atividades_secundarias": [_cnae(row) for row in c["cnaes_secundarios"]] or [_cnae(None)],
        "logradouro": f"{place['tipo_logradouro']} {place['logradouro']}",
        **_same(place, "numero", "bairro", "municipio", "uf"),
        "complemento": place["complemento"] or "",
        "cep": zip_code and f"{zip_code[:2]}.{zip_code[2:5]}-{zip_code[5:]}",
        "telefone": "/ ".join(f"({p['ddd']}) {p['numero'][:-4]}-{p['numero'][-4:]}" for p in c["telefones"]),
        "efr": c["ente_federativo"] or "",
        "simples": _optante(c["simples"]),
        "simei": _optante(c["mei"]),
        "qsa": [_ws_qsa(partner) for partner in c["socios"]],
        "ultima_atualizacao": "2026-11-18T23:59:59.000Z",
    }


def _day(iso: str | None) -> str:
    return "/".join(reversed(iso.split("-"))) if iso else ""


def _natureza(item: Json | None) -> str:
    return f"{item['codigo'][:3]}-{item['codigo'][3]} - {item['descricao']}" if item else ""


def _cnae(item: Json | None) -> Json:
    if item is None:
        return {"code": "00.00-0-00", "text": "********"}
    code = item["codigo"]
    return {"code": f"{code[:2]}.{code[2:4]}-{code[4]}-{code[5:]}", "text": item["descricao"]}


def _optante(option: Json | None) -> Json | None:
    start, end = _option_days(option)
    return option and {"optante": option["optante"], "data_opcao": _day(start), "data_exclusao": _day(end)}


def _ws_qsa(p: Json) -> Json:
    agent = p["representante_legal"]
    role = f"{_code(p['qualificacao'])}-{_words(p['qualificacao'])}"
    proxy = f"{_code(agent['qualificacao'])}-{_words(agent['qualificacao'])}" if agent else ""
    return {
        "nome": p["nome"],
        "qual": role,
        **({"pais_origem": p["pais"]} if p["pais"] else {}),
        **({"nome_rep_legal": agent["nome"], "qual_rep_legal": proxy} if agent else {}),
    }


DIALECTS: dict[str, Callable[[Json], Json]] = {
    "opencnpj": opencnpj,
    "brasilapi": minhareceita,
    "minhareceita": minhareceita,
    "cnpja": cnpja,
    "cnpjws": cnpjws,
    "receitaws": receitaws,
}
