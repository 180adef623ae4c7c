"""The model of the answer to a batch, from the model of one item's answer."""

from types import GenericAlias
from typing import Any

from pydantic import BaseModel, Field, create_model

from brskills_server.web.openapi.models import ProblemDetails


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
