"""The canonical company record, the same for every provider; also the schema of the answer in OpenAPI.

Dates are ISO, CNPJ and CEP unmasked, codes padded with zeros and with their official texts, other texts as
the source sends them, and ``None`` wherever it has nothing.
"""

from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field


class _Model(BaseModel):
    # An answer has every field, also those that a stored record of an earlier release may lack.
    # Those have a default.
    model_config = ConfigDict(frozen=True, extra="forbid", json_schema_serialization_defaults_required=True)


class CodigoDescricao(_Model):
    """Um código de tabela oficial e o seu texto."""

    codigo: str | None = Field(description="Código, com zeros à esquerda.", examples=["49"])
    descricao: str | None = Field(description="Texto do código.", examples=["Sócio-Administrador"])


class Atividade(_Model):
    """Uma atividade econômica."""

    codigo: str = Field(description="CNAE com 7 dígitos.", pattern=r"^\d{7}$", examples=["0600001"])
    descricao: str | None = Field(
        description="Texto da CNAE.", examples=["Extração de petróleo e gás natural"]
    )


class SituacaoCadastral(_Model):
    """A situação do estabelecimento no cadastro."""

    codigo: str | None = Field(
        description="01 nula, 02 ativa, 03 suspensa, 04 inapta, 05 ativa não regular, 08 baixada.",
        examples=["02"],
    )
    descricao: str | None = Field(description="Texto da situação.", examples=["ATIVA"])
    data: date | None = Field(description="Data de início.", examples=["2005-11-03"])
    motivo: CodigoDescricao | None = Field(description="Motivo da situação, com código de 2 dígitos.")


class Endereco(_Model):
    """Onde fica o estabelecimento."""

    tipo_logradouro: str | None = Field(
        description="Tipo; null quando a fonte o junta ao logradouro.", examples=["AVENIDA"]
    )
    logradouro: str | None = Field(description="Rua, avenida, praça…", examples=["REPUBLICA DO CHILE"])
    numero: str | None = Field(description="Número como a fonte o escreve.", examples=["65", "S/N", "00236"])
    complemento: str | None = Field(description="Complemento.", examples=["ANDAR 4"])
    bairro: str | None = Field(description="Bairro.", examples=["CENTRO"])
    cep: str | None = Field(description="CEP, 8 dígitos sem máscara.", examples=["20031170"])
    municipio: str | None = Field(description="Município.", examples=["RIO DE JANEIRO"])
    codigo_ibge: str | None = Field(description="Município no IBGE, 7 dígitos.", examples=["3304557"])
    codigo_siafi: str | None = Field(description="Município no SIAFI, 4 dígitos.", examples=["6001"])
    uf: str | None = Field(description="Sigla do estado; EX no exterior.", examples=["RJ"])
    pais: str | None = Field(description="País, quando a fonte o informa.", examples=["BRASIL"])
    pais_codigo: str | None = Field(
        None, description="Código do país na Receita Federal, também sem texto.", examples=["105"]
    )
    cidade_exterior: str | None = Field(None, description="Cidade no exterior.", examples=["MONTEVIDEO"])


class Telefone(_Model):
    """Um telefone ou fax."""

    ddd: str | None = Field(description="Código de área.", examples=["21"])
    numero: str = Field(description="Número, só dígitos.", examples=["21660000"])


class OpcaoTributaria(_Model):
    """A opção pelo Simples Nacional ou pelo MEI."""

    optante: bool = Field(description="Se é optante hoje.", examples=[False])
    data_opcao: date | None = Field(description="Data da opção.", examples=["2012-05-27"])
    data_exclusao: date | None = Field(description="Data da exclusão.", examples=["2018-02-01"])
    data_sem_efeito: date | None = Field(
        None, description="Dia de uma opção excluída no mesmo dia, sem efeito.", examples=["2007-07-01"]
    )


class Representante(_Model):
    """Quem representa um sócio."""

    nome: str | None = Field(description="Nome.", examples=["VITOR QUEIROZ SEIXAS"])
    documento: str | None = Field(description="CPF mascarado.", examples=["***257539**"])
    qualificacao: CodigoDescricao | None = Field(description="Qualificação, código de 2 dígitos.")


class Socio(_Model):
    """Um sócio ou administrador."""

    nome: str = Field(description="Nome ou razão social.", examples=["HUGO SEIXAS BARROS"])
    tipo: Literal["PF", "PJ", "ESTRANGEIRO"] | None = Field(
        description="Pessoa física, jurídica ou estrangeira; null quando a fonte não informa.",
        examples=["PF"],
    )
    documento: str | None = Field(
        description="CPF sempre mascarado, ou CNPJ.", examples=["***771942**", "06947284000104"]
    )
    qualificacao: CodigoDescricao | None = Field(description="Qualificação, código de 2 dígitos.")
    data_entrada: date | None = Field(description="Desde quando é sócio.", examples=["2024-06-07"])
    faixa_etaria: str | None = Field(description="Faixa de idade.", examples=["61 a 70 anos"])
    pais: str | None = Field(description="País, quando a fonte o informa.", examples=["ESTADOS UNIDOS"])
    pais_codigo: str | None = Field(
        None, description="Código do país na Receita Federal, também sem texto.", examples=["249"]
    )
    representante_legal: Representante | None = Field(description="Representante legal, se há um.")


class InscricaoEstadual(_Model):
    """Uma inscrição no cadastro de contribuintes de um estado."""

    uf: str | None = Field(description="Sigla do estado.", examples=["ES"])
    numero: str = Field(description="Número, sem máscara.", examples=["082200904"])
    ativa: bool | None = Field(description="Se está ativa; null quando a fonte não informa.", examples=[True])


class Record(_Model):
    """What a source says of a company: the part of the answer that is stored."""

    cnpj: str = Field(
        description="CNPJ sem máscara.", pattern=r"^[0-9A-Z]{12}\d{2}$", examples=["33000167000101"]
    )
    matriz: bool | None = Field(description="Matriz (true) ou filial (false).", examples=[True])
    razao_social: str = Field(
        description="Razão social; um CPF dentro dela vem mascarado.",
        min_length=1,
        examples=["PETROLEO BRASILEIRO S A PETROBRAS"],
    )
    nome_fantasia: str | None = Field(description="Nome fantasia.", examples=["PETROBRAS - EDISE"])
    situacao_cadastral: SituacaoCadastral = Field(description="Situação cadastral.")
    natureza_juridica: CodigoDescricao | None = Field(description="Natureza jurídica, código de 4 dígitos.")
    qualificacao_do_responsavel: CodigoDescricao | None = Field(
        None, description="Qualificação de quem responde pela empresa, código de 2 dígitos."
    )
    porte: CodigoDescricao | None = Field(
        description="Porte: 00 não informado, 01 microempresa, 03 pequeno porte, 05 demais."
    )
    capital_social: str | None = Field(
        description="Capital social em reais, com dois decimais.",
        pattern=r"^\d+\.\d{2}$",
        examples=["1061004800.00"],
    )
    capital_social_precisao: Literal["exata", "aproximada"] | None = Field(
        description="Aproximada quando a fonte guarda o capital com só 24 bits de precisão.",
        examples=["exata"],
    )
    data_inicio_atividade: date | None = Field(description="Início da atividade.", examples=["1966-09-28"])
    cnae_principal: Atividade | None = Field(description="Atividade principal.")
    cnaes_secundarios: list[Atividade] = Field(description="Atividades secundárias.")
    endereco: Endereco = Field(description="Endereço.")
    telefones: list[Telefone] = Field(description="Telefones.")
    fax: Telefone | None = Field(None, description="Fax, se há um.")
    email: str | None = Field(description="E-mail.", examples=["contato@exemplo.com.br"])
    simples: OpcaoTributaria | None = Field(description="Simples Nacional; null quando a fonte não informa.")
    mei: OpcaoTributaria | None = Field(description="MEI; null quando a fonte não informa.")
    socios: list[Socio] = Field(description="Quadro de sócios e administradores, por nome.")
    situacao_especial: str | None = Field(description="Situação especial.", examples=["RECUPERACAO JUDICIAL"])
    data_situacao_especial: date | None = Field(
        None, description="Data de início da situação especial.", examples=["2024-05-06"]
    )
    ente_federativo: str | None = Field(description="Ente federativo responsável.", examples=["UNIÃO"])
    inscricoes_estaduais: list[InscricaoEstadual] | None = Field(
        None,
        description="Inscrições estaduais, por estado; null quando a fonte não as informa. Só CNPJá e "
        "CNPJ.ws as informam.",
    )
    fonte: str = Field(description="De onde veio o cadastro.", examples=["opencnpj"])
    data_base: date | None = Field(
        description="Data a que se referem os dados da fonte, se informada.", examples=["2026-09-15"]
    )


class Company(Record):
    """Uma empresa do cadastro nacional (CNPJ) e a procedência do cadastro."""

    # For schemas: ``registry.answer`` writes these fields without the model.
    consultado_em: datetime = Field(
        description="Quando a fonte respondeu (UTC).", examples=["2026-11-20T12:00:00Z"]
    )
    idade_segundos: Annotated[int, Field(ge=0)] = Field(
        description="Segundos desde consultado_em.", examples=[3600]
    )
    desatualizado: bool = Field(
        description="true quando as fontes falharam e o cadastro é mais antigo do que o prazo.",
        examples=[False],
    )
