"""Models of the Pix skills, for schemas and tools: the skills check by ``PIX_SHAPES`` and answer plain data."""

from typing import Annotated, Any, Literal

from annotated_types import Interval
from pydantic import BaseModel, ConfigDict, Field, SkipValidation, create_model

from brskills_server.skills.batch import MAX_ITEMS, PARTIAL
from brskills_server.skills.pix.fields import MAX_CODE_LENGTH, PIX_FIELDS, QR_FIELDS, KeyTypeName, PixField
from brskills_server.skills.validation import WholeNumber

KindName = Literal["estatico", "dinamico", "saque", "recorrencia", "composto"]


def _requested(field: PixField) -> tuple[Any, Any]:
    """Return a field of the request for ``create_model``."""
    may_be_null = not field.required and field.default is None
    extra: dict[str, Any] = {}
    if field.form:
        members = [{"type": "string", "pattern": field.form}] if isinstance(field.form, str) else field.form
        extra = {"anyOf": [*members, {"type": "null"}]}
    info = Field(
        ... if field.required else field.default,
        description=field.description,
        examples=[field.example] if field.example else None,
        json_schema_extra=extra or None,
    )
    kind: Any = field.type
    if field.limits:
        kind = Annotated[int, Interval(ge=field.limits[0], le=field.limits[1]), WholeNumber]
    return (kind | None if may_be_null else kind), info


_REQUESTED: dict[str, Any] = {field.name: _requested(field) for field in PIX_FIELDS + QR_FIELDS}
PixRequest = create_model(
    "PixRequest",
    __config__=ConfigDict(extra="forbid"),
    __doc__="O que vai no código. ``chave``, ``url`` ou ``url_recorrencia`` decide o tipo.",
    **_REQUESTED,
)


class PixBatchRequest(BaseModel, extra="forbid"):
    """Os dados de vários códigos."""

    itens: SkipValidation[list[PixRequest]] = Field(
        description="Itens com os campos de um código só.", min_length=1, max_length=MAX_ITEMS
    )
    parcial: bool = Field(False, description=PARTIAL)


class Adjustment(BaseModel):
    """Um ajuste feito em um texto, e o motivo."""

    campo: str = Field(description="Campo ajustado.")
    de: str = Field(description="Texto recebido.")
    para: str = Field(description="Texto ajustado.")
    motivo: Literal["transliterado", "truncado", "removido", "espacos", "protocolo"]


class PixAlert(BaseModel):
    """O que é permitido, mas provavelmente é um engano. O código foi gerado e é válido."""

    campo: str = Field(description="Campo da requisição a conferir.")
    codigo: Literal[
        "email_sem_ponto", "telefone_fixo", "uso_unico_ausente", "uso_unico_estatico", "location_unusual",
        "recurrence_marker",
    ] = Field(
        description="email_sem_ponto: o domínio do e-mail não tem ponto; telefone_fixo: a chave é um telefone fixo; "
        "uso_unico_ausente: o código dinâmico não tem o campo 01; uso_unico_estatico: um código com chave pode "
        "ser pago mais de uma vez; location_unusual: nenhum banco consulta a localização; recurrence_marker: a "
        "localização da recorrência não tem /rec/."
    )  # fmt: skip
    detalhe: str = Field(description="O que foi notado e o que fazer.")


class PixCode(BaseModel):
    """Um BR Code e o que está nele."""

    brcode: str = Field(description="O texto do Pix copia-e-cola e do QR.")
    tipo: KindName
    chave: str | None
    tipo_chave: KeyTypeName | None
    valor: str | None = Field(description="Reais com duas casas; null se o pagador digita o valor.")
    nome_recebedor: str
    cidade: str
    txid: str
    descricao: str | None
    ajustes: list[Adjustment] = Field(description="O que foi ajustado; toda mudança está nesta lista.")
    alertas: list[PixAlert] = Field(
        description="O que convém conferir antes de usar o código; vazio se nada."
    )
    qr: str | None = Field(None, description="A imagem do QR em base64, se pedida em qr.")
    qr_tamanho: int | None = Field(None, description="Pixels de cada módulo da imagem em qr.")
    qr_margem: int | None = Field(None, description="Margem da imagem em qr, em módulos.")


class DecodeRequest(BaseModel, extra="forbid"):
    """Um código a ler."""

    brcode: str = Field(min_length=1, max_length=MAX_CODE_LENGTH, description="O texto a ler, válido ou não.")


class Unknown(BaseModel):
    """Um objeto que o Pix não usa, mantido como veio."""

    id: str = Field(description="Caminho de identificadores, como 62-07.")
    valor: str


def _found(field: PixField) -> tuple[Any, Any]:
    """Return a field of a decoded code for ``create_model``; amounts are texts there."""
    return (field.type if field.type in {bool, KeyTypeName} else str) | None, ...


_FOUND: dict[str, Any] = {field.name: _found(field) for field in PIX_FIELDS if field.emv_name != "strict"}
DecodedFields = create_model(
    "DecodedFields",
    __doc__="O que foi encontrado; null no que não há.",
    **_FOUND,
    desconhecidos=(list[Unknown], ...),
)


class DecodeFinding(BaseModel):
    """Uma regra quebrada, ou um alerta."""

    regra: str = Field(description="Identificador estável da regra.")
    campo: str | None
    detalhe: str = Field(description="O que está errado e como corrigir.")
    referencia: str = Field(description="Norma e seção.")


class Psp(BaseModel):
    """Uma instituição da lista de participantes do Pix."""

    ispb: str = Field(examples=["00000000"])
    nome: str
    participante: Literal[True]


class Suggestion(BaseModel):
    """O código que o texto era antes de ser danificado no caminho."""

    brcode: str = Field(description="O código consertado; o CRC dele confere.")
    motivos: list[Literal["codificacao", "texto_em_volta", "espacos", "mais", "asteriscos", "crc"]] = Field(
        description="O que foi desfeito: codificacao: %20 e similares, ou um URI; texto_em_volta: palavras, um link, "
        "aspas ou caracteres invisíveis; espacos: quebras de linha e espaços; mais: o + do telefone; asteriscos: "
        "os *** do txid; crc: o zero à esquerda do CRC."
    )


class DecodeResult(BaseModel):
    """O conteúdo de um código: valido é falso se alguma norma foi violada."""

    valido: bool
    tipo: KindName | None
    campos: DecodedFields
    psp: Psp | None = Field(description="O participante do Pix com o ISPB em ispb_saque; null se não há.")
    sugestao: Suggestion | None = Field(
        description="Se o texto foi danificado e só um conserto dá um código com o CRC certo: esse código, do qual são "
        "tipo e campos. Senão, null."
    )
    erros: list[DecodeFinding]
    alertas: list[DecodeFinding]
