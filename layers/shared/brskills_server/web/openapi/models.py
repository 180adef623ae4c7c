"""Models of answers that no use case declares: problems, tools, JSON-RPC, batches."""

from types import GenericAlias
from typing import Any, Literal

from pydantic import BaseModel, Field, create_model

from brskills_server.skills.errors import MOST_LISTED


class FieldProblem(BaseModel):
    """Um campo recusado."""

    campo: str = Field(description="Nome do campo; vazio se é o corpo inteiro.")
    code: str = Field(description="Código estável.", examples=["too_many_decimals"])
    detail: str = Field(description="O que está errado e o que seria certo, em português ou inglês.")


class ProblemDetails(BaseModel):
    """Um erro (RFC 9457). ``code`` nunca muda; ``detail`` vem na língua de Accept-Language."""

    type: str = Field(examples=["urn:brskills:problem:invalid_fields"])
    title: str
    status: int
    detail: str
    code: str = Field(description="Código estável, para máquinas.", examples=["invalid_fields"])
    request_id: str = Field(
        description="O mesmo de X-Request-Id; informe-o a quem opera este serviço se pedir ajuda."
    )
    errors: list[FieldProblem] = Field(
        default=[], max_length=MOST_LISTED, description="Todos os campos errados de uma vez, até 50 deles."
    )
    errors_total: int | None = Field(
        None, description="Quantos campos estão errados, quando são mais do que os listados em errors."
    )
    confirmado: bool | None = Field(
        None, description="Em company_not_found: fontes independentes concordam que não existe."
    )
    retry_after: int | None = Field(
        None, description="Segundos até valer a pena repetir, como no cabeçalho Retry-After."
    )
    data_base: str | None = Field(
        None, description="Em company_not_found: dia a que se referem os dados.", examples=["2026-10-31"]
    )
    api_key: str | None = Field(
        None,
        description="Só no 503 store_unavailable de rotateApiKey, se não se sabe se a troca foi feita: a "
        "chave nova. Tente com ela; se for recusada (401), a antiga continua valendo.",
    )


class WebhookResult(BaseModel):
    """O que foi feito do evento."""

    resultado: str


class Route(BaseModel):
    """A chamada HTTP que faz o mesmo que uma ferramenta."""

    method: str = Field(examples=["POST"])
    url: str


class Tools(BaseModel):
    """As ferramentas no formato pedido: ``tools`` vai como está para a API do modelo."""

    format: str = Field(examples=["openai"])
    tools: list[dict[str, Any]]
    routes: dict[str, Route] = Field(description="Por nome de ferramenta, como executá-la por HTTP.")


class RpcAnswer(BaseModel):
    """Uma resposta JSON-RPC 2.0: ``result`` ou ``error``."""

    jsonrpc: Literal["2.0"]
    id: str | int | None
    result: dict[str, Any] | None = None
    error: dict[str, Any] | None = None


class _BatchEntry(BaseModel):
    """A resposta a um item."""

    indice: int = Field(description="O lugar do item no pedido, a partir de 0.")
    status: int = Field(description="O que a rota de um só responderia.", examples=[200])
    resposta: Any = Field(None, description="A resposta da rota de um só; com status 200.")
    problema: ProblemDetails | None = Field(
        None, description="O problema que ela responderia; com outro status."
    )


class _BatchResult(BaseModel):
    """As respostas, na ordem do pedido."""

    resultados: list[Any]
    contadas: int = Field(description="Quantas chamadas o lote custou.")


def batch_of(answer: type[BaseModel]) -> type[BaseModel]:
    """Return the model of a batch by the model of its items' answers: ``PixCode`` → ``PixCodeBatch``."""
    name = f"{answer.__name__}Batch"
    found = (answer | None, _BatchEntry.model_fields["resposta"])
    entry = create_model(f"{name}Entry", __base__=_BatchEntry, __doc__=_BatchEntry.__doc__, resposta=found)
    listed = (GenericAlias(list, entry), _BatchResult.model_fields["resultados"])
    return create_model(name, __base__=_BatchResult, __doc__=_BatchResult.__doc__, resultados=listed)
