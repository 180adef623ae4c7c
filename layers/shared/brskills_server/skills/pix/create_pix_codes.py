"""Many Pix codes in one request."""

from typing import Any

from brskills_server.skills.batch import batch_skill
from brskills_server.skills.pix.create_pix_code import CREATE_PIX_CODE, RequestedCode
from brskills_server.skills.skill import Call, Endpoint, Model, Texts


def _answer(requested: list[RequestedCode], call: Call) -> list[Any]:
    answers: list[Any] = []
    for one in requested:
        try:
            answers.append(CREATE_PIX_CODE.answer(one, call))
        except Exception as error:  # unexpected; the other items are answered
            answers.append(error)
    return answers


def _models() -> tuple[Model, Model]:
    from brskills_server.skills.pix.models import PixBatchRequest, PixCode  # imports pydantic

    return PixBatchRequest, PixCode


CREATE_PIX_CODES = batch_skill(
    CREATE_PIX_CODE,
    "itens",
    _answer,
    name="create_pix_codes",
    texts=Texts(
        title="Criar vários códigos Pix",
        purpose="Gera até 100 BR Codes de uma vez; cada item é tratado como em uma requisição individual.",
        use="quando há muitos códigos a gerar.",
        avoid="para um código só (POST /api/v1/skills/pix).",
        notes="Um item recusado vem com o seu problema e não conta; os outros são respondidos. As chamadas "
        "são descontadas da cota do mês em um só passo.",
        english="Create up to 100 Brazilian Pix payment codes at once.",
        guide="",
    ),
    models=_models,
    endpoints=(
        Endpoint("POST", "/api/v1/skills/pix/lote", "createPixCodes", {
            "dois": {"itens": [
                {"chave": "pix@exemplo.com.br", "valor": "49.90", "nome_recebedor": "Padaria", "cidade": "São Paulo"},
                {"chave": "pix@exemplo.com.br", "valor": "5", "nome_recebedor": "Padaria", "cidade": "São Paulo"},
            ]},
        }),
    ),
)  # fmt: skip
