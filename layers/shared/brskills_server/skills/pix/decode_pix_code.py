"""The skill that decodes a Pix code and lists every rule it breaks. It is never counted."""

from typing import Any

import brcode
from brskills_server.participants.participant_list import describe_psp
from brskills_server.skills.errors import InvalidRequest
from brskills_server.skills.pix.create_pix_code import EXAMPLE_CODE
from brskills_server.skills.pix.fields import MAX_CODE_LENGTH, PIX_FIELDS, PUBLIC_NAMES, explain_empty_code
from brskills_server.skills.shape import Shape, check_shape
from brskills_server.skills.skill import Call, Endpoint, Model, Skill, Texts, never, write_plain

_SHAPES = {"brcode": Shape(str, required=True, least=1, most=MAX_CODE_LENGTH)}
_FOUND = [(field.name, field.emv_name) for field in PIX_FIELDS if field.emv_name != "strict"]
"""Public name and name in ``brcode`` of each field that a code may have."""


def _check(content: dict[str, Any]) -> str:
    if issues := check_shape(_SHAPES, content):
        raise InvalidRequest(*map(explain_empty_code, issues))
    return str(content["brcode"])


def _answer(text: str, call: Call) -> dict[str, Any]:
    found = brcode.decode(text)
    values = {name: getattr(found.fields, emv_name) for name, emv_name in _FOUND}
    unknown = [{"id": path, "valor": value} for path, value in found.fields.unknown]
    return {
        "valido": found.valid,
        "tipo": found.kind,
        "campos": {**values, "desconhecidos": unknown},
        "psp": describe_psp(found.fields.withdrawal_ispb),
        "sugestao": found.suggestion
        and {"brcode": found.suggestion.payload, "motivos": list(found.suggestion.reasons)},
        "erros": [_issue(issue, call.language) for issue in found.errors],
        "alertas": [_issue(issue, call.language) for issue in found.warnings],
    }


def _issue(issue: brcode.Issue, language: str) -> dict[str, Any]:
    return {
        "regra": issue.code,
        "campo": PUBLIC_NAMES.get(issue.field, issue.field) if issue.field else None,
        "detalhe": issue.detail(language, PUBLIC_NAMES),
        "referencia": issue.reference,
    }


def _models() -> tuple[Model, Model]:
    from brskills_server.skills.pix.models import DecodeRequest, DecodeResult  # imports pydantic

    return DecodeRequest, DecodeResult


DECODE_PIX_CODE = Skill(
    name="decode_pix_code",
    scope="pix",
    texts=Texts(
        title="Ler um código Pix",
        purpose="Mostra o conteúdo de um BR Code (Pix copia-e-cola) e as regras que ele viola: erros violam "
        "uma norma; alertas são permitidos, mas já foram recusados por bancos.",
        use="para saber o que um código diz, antes de publicá-lo ou quando um banco o recusa.",
        avoid="para conferir quem recebe antes de pagar (check_pix_payee), para criar um código (create_pix_code) ou "
        "para ler uma imagem: envie o texto do QR.",
        notes="Se o texto é um código danificado no caminho (quebras de linha, um link em volta, *** perdidos) e "
        "o conserto é certo, sugestao traz o código, e campos é o que ele diz: use-o no lugar do texto. "
        "Se o primeiro erro é not_a_pix_code, o texto é outra coisa (URL, boleto, QR de outro "
        "pagamento, chave), e o erro diz o que enviar. Não conta como chamada.",
        english="Read and check the text of a Pix QR code.",
        guide="""    curl -s {base}/api/v1/skills/pix/decode -H "X-API-Key: {key}" -H 'Content-Type: application/json' \\
      -d '{"brcode": "000201…"}'

Where `sugestao` is not null the text was damaged on its way (wrapped lines, a link around it, lost `***`): `sugestao.brcode` is the code it was, confirmed by its own CRC; `campos` is what that code says; use it in place of the text. `valido` is false where a norm is broken; explain each of `erros`, then `alertas`. A first error `not_a_pix_code` means that the text is something else (a URL, a boleto, another payment's QR, a key, plain text) and says what to send instead. Before someone pays, show `campos.nome_recebedor`, `campos.chave` and `campos.valor`. Not counted.""",
    ),
    models=_models,
    shapes=_SHAPES,
    answer=_answer,
    write=write_plain,
    content=dict,
    prepare=_check,
    counts=never,
    reads_codes=True,
    endpoints=(
        Endpoint(
            "POST",
            "/api/v1/skills/pix/decode",
            "decodePixCode",
            {"codigo": {"brcode": EXAMPLE_CODE}, "outro_texto": {"brcode": "https://exemplo.com.br/pagar"}},
        ),
    ),
)
