"""Many Pix codes in one request."""

from typing import Any

from brskills_server.skills.answer_size import is_too_large
from brskills_server.skills.batch import (
    Batch,
    BatchAnswer,
    answer_of,
    batch_skill,
    check_item,
    list_issues,
    results_of,
    without_room,
)
from brskills_server.skills.errors import InvalidRequest
from brskills_server.skills.pix.create_pix_code import CREATE_PIX_CODE
from brskills_server.skills.shape import Shape, check_shape
from brskills_server.skills.skill import Call, Endpoint, Model, Texts

_SHAPES = {"itens": Shape(object, required=True), "parcial": Shape(bool)}


def _check(content: dict[str, Any]) -> Batch:
    if issues := [*check_shape(_SHAPES, content), *list_issues(content, "itens")]:
        raise InvalidRequest(*issues)
    items = [check_item(CREATE_PIX_CODE, item) for item in content["itens"]]
    return Batch(items, sum(item.counts for item in items), content.get("parcial") or False)


def _answer(batch: Batch, call: Call) -> BatchAnswer:
    room, outcomes, failed = call.session.calls, list[Any](), 0
    for item in batch.items:
        if item.fault:
            outcomes.append(item.fault)
        elif not room:
            outcomes.append(without_room(call))
        else:
            room -= 1
            try:
                outcomes.append(CREATE_PIX_CODE.answer(item.prepared, call))
            except Exception as error:  # unexpected; the other items are answered
                outcomes.append(error)
                failed += 1
    results = results_of(CREATE_PIX_CODE, outcomes, call)
    call.session.release(failed + sum(map(is_too_large, results.outcomes)))
    return answer_of(results, call)


def _models() -> tuple[Model, Model]:
    from brskills_server.skills.pix.models import PixBatchRequest, PixCode  # imports pydantic

    return PixBatchRequest, PixCode


CREATE_PIX_CODES = batch_skill(
    name="create_pix_codes",
    scope="pix",
    texts=Texts(
        title="Criar vários códigos Pix",
        purpose="Escreve até 100 BR Codes de uma vez; cada item é respondido como seria sozinho.",
        use="quando há muitos códigos a gerar.",
        avoid="para um código só (POST /api/v1/skills/pix).",
        notes="Um item recusado vem com o seu problema e não conta; os outros valem. O que o mês ainda permite é "
        "tomado em um só passo.",
        english="Create up to 100 Brazilian Pix payment codes at once.",
        guide="",
    ),
    models=_models,
    shapes=_SHAPES,
    prepare=_check,
    answer=_answer,
    endpoints=(
        Endpoint("POST", "/api/v1/skills/pix/lote", "createPixCodes", {
            "dois": {"itens": [
                {"chave": "pix@exemplo.com.br", "valor": "49.90", "nome_recebedor": "Padaria", "cidade": "São Paulo"},
                {"chave": "pix@exemplo.com.br", "valor": "5", "nome_recebedor": "Padaria", "cidade": "São Paulo"},
            ]},
        }),
    ),
)  # fmt: skip
