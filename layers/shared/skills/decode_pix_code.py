"""The skill that reads a Pix code: what is in it, and every rule it breaks. Never counted."""

from typing import Any

import brcode
from skills.create_pix_code import EXAMPLE_CODE
from skills.pix_fields import PIX_FIELDS, PUBLIC_NAMES
from skills.pix_models import DecodedFields, DecodeFinding, DecodeRequest, DecodeResult, Unknown, what_to_send
from skills.refusals import InvalidRequest
from skills.skill import Call, Endpoint, Skill, Texts, never
from skills.validation import find_faults

__all__ = ["DECODE_PIX_CODE"]


def _check(content: dict[str, Any]) -> DecodeRequest:
    request, faults = find_faults(DecodeRequest, content)
    if request is None:
        raise InvalidRequest(*map(what_to_send, faults))
    assert isinstance(request, DecodeRequest)  # noqa: S101, for mypy
    return request


def _answer(request: DecodeRequest, call: Call) -> DecodeResult:
    found = brcode.decode(request.brcode)
    values = {
        field.name: getattr(found.fields, field.emv_name)
        for field in PIX_FIELDS
        if field.name in DecodedFields.model_fields
    }
    unknown = [Unknown(id=path, valor=value) for path, value in found.fields.unknown]
    return DecodeResult(
        valido=found.valid,
        tipo=found.kind,
        campos=DecodedFields(**values, desconhecidos=unknown),
        erros=[_finding(finding, call.language) for finding in found.errors],
        alertas=[_finding(finding, call.language) for finding in found.warnings],
    )


def _finding(finding: brcode.Finding, language: str) -> DecodeFinding:
    return DecodeFinding(
        regra=finding.rule,
        campo=PUBLIC_NAMES.get(finding.field, finding.field) if finding.field else None,
        detalhe=finding.detail(language, PUBLIC_NAMES),
        referencia=finding.reference,
    )


DECODE_PIX_CODE = Skill(
    name="decode_pix_code",
    scope="pix",
    texts=Texts(
        title="Ler um código Pix",
        purpose="Diz o que há num BR Code (Pix copia-e-cola) e quais regras ele quebra: erros quebram uma norma, "
        "alertas são legais mas já foram recusados por bancos.",
        use="antes de pagar ou publicar um código, ou quando um banco o recusa.",
        avoid="para criar um código (create_pix_code) nem para ler uma imagem: envie o texto do QR.",
        notes="O primeiro erro not_a_pix_code diz que o texto é outra coisa (URL, boleto, QR de outro pagamento, chave) e "
        "o que enviar. Não conta chamadas.",
        english="Read and check the text of a Pix QR code.",
        guide="""    curl -s {base}/api/v1/skills/pix/decode -H "X-API-Key: {key}" -H 'Content-Type: application/json' \\
      -d '{"brcode": "000201…"}'

`valido` is false where a norm is broken; explain each of `erros`, then `alertas`. A first error `not_a_pix_code` says that the text is something else (a URL, a boleto, another payment's QR, a key, words) and what to send instead. Before someone pays, show `campos.nome_recebedor`, `campos.chave` and `campos.valor`. Not counted.""",
    ),
    request=DecodeRequest,
    result=DecodeResult,
    answer=_answer,
    prepare=_check,
    counts=never,
    endpoints=(
        Endpoint(
            "POST",
            "/api/v1/skills/pix/decode",
            "decodePixCode",
            {
                "codigo": {"brcode": EXAMPLE_CODE},
                "outro_texto": {"brcode": "https://exemplo.com.br/pagar"},
            },
        ),
    ),
)
