"""What the Pix skill takes and answers: the one description that schemas, tools and checks come from."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "Adjustment",
    "DecodeFinding",
    "DecodeRequest",
    "DecodeResult",
    "DecodedFields",
    "PixCode",
    "PixRequest",
    "Unknown",
]

MAX_CODE_LENGTH = 4096


_LOCATION = r"^([a-z]+://)?[A-Za-z0-9][A-Za-z0-9.:-]*/[!-~]+$"


def _written(pattern: str) -> dict[str, Any]:
    """How an optional text is written, for those who read schemas; ``brcode`` judges it, in better words."""
    return {"anyOf": [{"type": "string", "pattern": pattern}, {"type": "null"}]}


class PixRequest(BaseModel):
    """O que vai no código. ``chave``, ``url`` ou ``url_recorrencia`` decide o tipo."""

    model_config = ConfigDict(extra="forbid")

    chave: str | None = Field(
        None,
        description=(
            "Chave Pix: CPF, CNPJ (também alfanumérico), e-mail, telefone ou chave aleatória, com ou sem "
            "máscara. Obrigatória se não houver url nem url_recorrencia."
        ),
        examples=["pix@exemplo.com.br"],
    )
    tipo_chave: Literal["cpf", "cnpj", "email", "telefone", "aleatoria"] | None = Field(
        None,
        description="Só é necessário quando a chave é ambígua (11 dígitos que são CPF e celular).",
        examples=["cpf"],
    )
    valor: str | int | Decimal | None = Field(
        None,
        description="Reais, maior que zero, com no máximo duas casas. Sem ele, o pagador digita o valor.",
        examples=["49.90"],
        json_schema_extra={
            "anyOf": [
                {"type": "string", "pattern": r"^0*[0-9]{1,10}(\.[0-9]{1,2})?$"},
                {"type": "number", "exclusiveMinimum": 0},
                {"type": "null"},
            ]
        },
    )
    nome_recebedor: str = Field(
        description="Nome de quem recebe; acaba em 1 a 25 caracteres ASCII.", examples=["Padaria São João"]
    )
    cidade: str = Field(
        description="Cidade de quem recebe; acaba em 1 a 15 caracteres ASCII.", examples=["São Paulo"]
    )
    txid: str | None = Field(
        None,
        description="Identificador da cobrança, 1 a 25 letras e dígitos; *** quando ausente.",
        examples=["PEDIDO42"],
        json_schema_extra=_written(r"^([A-Za-z0-9]{1,25}|\*\*\*)$"),
    )
    descricao: str | None = Field(None, description="Texto para o pagador (26-02).", examples=["Pedido 42"])
    cep: str | None = Field(
        None,
        description="CEP de quem recebe (61).",
        examples=["01310-100"],
        json_schema_extra=_written(r"^[0-9]{2}\.?[0-9]{3}-?[0-9]{3}$"),
    )
    mcc: str | None = Field(
        None,
        description="Código da categoria do comércio (52), 4 dígitos.",
        examples=["5812"],
        json_schema_extra=_written(r"^[0-9]{4}$"),
    )
    url: str | None = Field(
        None,
        description="Localização de uma cobrança dinâmica (26-25), sem protocolo.",
        examples=["pix.exemplo.com.br/qr/v2/9d36b84f"],
        json_schema_extra=_written(_LOCATION),
    )
    url_recorrencia: str | None = Field(
        None,
        description="Pix Automático (80-25): sozinha, com url ou com chave.",
        examples=["pix.exemplo.com.br/rec/9d36b84f"],
        json_schema_extra=_written(_LOCATION),
    )
    ispb_saque: str | None = Field(
        None,
        description="Pix Saque (26-03): ISPB do facilitador, 8 caracteres.",
        examples=["12345678"],
        json_schema_extra=_written(r"^[0-9A-Z]{8}$"),
    )
    uso_unico: bool | None = Field(
        None, description="Campo 01: true vira 12 (uso único), false vira 11; ausente, é omitido."
    )
    estrito: bool = Field(
        default=False, description="Recusa (422) tudo o que seria ajustado em nome, cidade, descrição e url."
    )


class Adjustment(BaseModel):
    """Uma mudança feita num texto, e por quê."""

    campo: str = Field(description="Campo mudado.")
    de: str = Field(description="Como veio.")
    para: str = Field(description="Como ficou.")
    motivo: Literal["transliterado", "truncado", "removido", "espacos", "protocolo"]


class PixCode(BaseModel):
    """Um BR Code e o que está nele."""

    brcode: str = Field(description="O texto do Pix copia-e-cola e do QR.")
    tipo: Literal["estatico", "dinamico", "saque", "recorrencia", "composto"]
    chave: str | None
    tipo_chave: Literal["cpf", "cnpj", "email", "telefone", "aleatoria"] | None
    valor: str | None = Field(description="Reais com duas casas, ou null se o pagador digita.")
    nome_recebedor: str
    cidade: str
    txid: str
    descricao: str | None
    ajustes: list[Adjustment] = Field(description="O que mudou no caminho; nada muda sem estar aqui.")


class DecodeRequest(BaseModel):
    """Um código a ler."""

    model_config = ConfigDict(extra="forbid")

    brcode: str = Field(min_length=1, max_length=MAX_CODE_LENGTH, description="O texto a ler, válido ou não.")


class Unknown(BaseModel):
    """Um objeto que o Pix não usa, mantido como veio."""

    id: str = Field(description="Caminho de identificadores, como 62-07.")
    valor: str


class DecodedFields(BaseModel):
    """O que foi encontrado; null onde não há."""

    chave: str | None
    tipo_chave: Literal["cpf", "cnpj", "email", "telefone", "aleatoria"] | None
    valor: str | None
    nome_recebedor: str | None
    cidade: str | None
    txid: str | None
    descricao: str | None
    cep: str | None
    mcc: str | None
    url: str | None
    url_recorrencia: str | None
    ispb_saque: str | None
    uso_unico: bool | None
    desconhecidos: list[Unknown]


class DecodeFinding(BaseModel):
    """Uma regra quebrada, ou um alerta."""

    regra: str = Field(description="Identificador estável da regra.")
    campo: str | None
    detalhe: str = Field(description="O que está errado e como corrigir.")
    referencia: str = Field(description="Norma e seção.")


class DecodeResult(BaseModel):
    """O que há num código: valido é falso se alguma norma foi quebrada."""

    valido: bool
    tipo: Literal["estatico", "dinamico", "saque", "recorrencia", "composto"] | None
    campos: DecodedFields
    erros: list[DecodeFinding]
    alertas: list[DecodeFinding]
