"""Models of answers that no use case declares: problems, tools, JSON-RPC, batches."""

from types import GenericAlias
from typing import Any, Literal

from pydantic import BaseModel, Field, create_model

from brskills_server.skills.errors import MOST_LISTED


class FieldProblem(BaseModel):
    """Um campo inválido."""

    campo: str = Field(description="Nome do campo; vazio se o erro é do corpo inteiro.")
    code: str = Field(description="Código estável.", examples=["too_many_decimals"])
    detail: str = Field(description="O que está errado e como corrigir, em português ou inglês.")


class ProblemDetails(BaseModel):
    """Um erro (RFC 9457). ``code`` nunca muda; ``detail`` vem no idioma de Accept-Language."""

    type: str = Field(examples=["urn:brskills:problem:invalid_fields"])
    title: str
    status: int
    detail: str
    code: str = Field(description="Código estável, para máquinas.", examples=["invalid_fields"])
    request_id: str = Field(
        description="O mesmo valor de X-Request-Id; informe-o ao entrar em contato com o suporte."
    )
    errors: list[FieldProblem] = Field(
        default=[], max_length=MOST_LISTED, description="Todos os campos inválidos de uma vez, até 50."
    )
    errors_total: int | None = Field(
        None, description="Total de campos inválidos, quando são mais do que os listados em errors."
    )
    confirmado: bool | None = Field(
        None, description="Em company_not_found: se fontes independentes concordam que a empresa não existe."
    )
    retry_after: int | None = Field(
        None, description="Segundos a esperar antes de tentar de novo, como no cabeçalho Retry-After."
    )
    data_base: str | None = Field(
        None, description="Em company_not_found: data a que se referem os dados.", examples=["2026-10-31"]
    )
    api_key: str | None = Field(
        None,
        description="Só no 503 store_unavailable de rotateApiKey, se não foi possível confirmar a rotação: a "
        "chave nova. Tente com ela; se for recusada (401), a antiga continua válida.",
    )


class WebhookResult(BaseModel):
    """O resultado do processamento do evento."""

    resultado: str


class Route(BaseModel):
    """A chamada HTTP equivalente a uma ferramenta."""

    method: str = Field(examples=["POST"])
    url: str


class Tools(BaseModel):
    """As ferramentas no formato pedido: envie ``tools`` sem alterações à API do modelo."""

    format: str = Field(examples=["openai"])
    tools: list[dict[str, Any]]
    routes: dict[str, Route] = Field(
        description="Como executar cada ferramenta por HTTP, por nome da ferramenta."
    )


class RpcAnswer(BaseModel):
    """Uma resposta JSON-RPC 2.0: ``result`` ou ``error``."""

    jsonrpc: Literal["2.0"]
    id: str | int | None
    result: dict[str, Any] | None = None
    error: dict[str, Any] | None = None


class _BatchEntry(BaseModel):
    """A resposta a um item."""

    indice: int = Field(description="O índice do item na requisição, a partir de 0.")
    status: int = Field(description="O status que a rota de um único item retornaria.", examples=[200])
    resposta: Any = Field(None, description="A resposta da rota de um único item, se o status é 200.")
    problema: ProblemDetails | None = Field(
        None, description="O problema que essa rota retornaria, com qualquer outro status."
    )


class _BatchResult(BaseModel):
    """As respostas, na ordem dos itens."""

    resultados: list[Any]
    contadas: int = Field(description="Quantas chamadas o lote contou.")


def batch_of(answer: type[BaseModel]) -> type[BaseModel]:
    """Return the model of a batch by the model of its items' answers: ``PixCode`` → ``PixCodeBatch``."""
    name = f"{answer.__name__}Batch"
    found = (answer | None, _BatchEntry.model_fields["resposta"])
    entry = create_model(f"{name}Entry", __base__=_BatchEntry, __doc__=_BatchEntry.__doc__, resposta=found)
    listed = (GenericAlias(list, entry), _BatchResult.model_fields["resultados"])
    return create_model(name, __base__=_BatchResult, __doc__=_BatchResult.__doc__, resultados=listed)


class Key(BaseModel):
    """Uma chave pública (RFC 7517)."""

    kty: str
    crv: str
    x: str
    y: str
    alg: str
    use: str
    kid: str


class KeySet(BaseModel):
    """As chaves das respostas assinadas."""

    keys: list[Key]
