"""The skill that writes a Pix code."""

from typing import Any, NamedTuple

import brcode
from brskills_server.skills.errors import InvalidRequest
from brskills_server.skills.pix.fields import EMV_NAMES, PIX_SHAPES, PUBLIC_NAMES, public_issue
from brskills_server.skills.pix.qr_image import check_format, picture_of, png, svg
from brskills_server.skills.shape import check_shape
from brskills_server.skills.skill import Call, Endpoint, Model, Skill, Texts, write_plain

EXAMPLE_CODE = (
    "00020126400014br.gov.bcb.pix0118pix@exemplo.com.br520400005303986540549.905802BR5907Padaria6009Sao Paulo"
    "62120508PEDIDO426304C12A"
)
_PAYEE = {"nome_recebedor": "Padaria", "cidade": "São Paulo"}


class RequestedCode(NamedTuple):
    """A code, and the content of its request, which may describe a picture of it."""

    code: brcode.BrCode
    content: dict[str, Any]


def _encode(content: dict[str, Any]) -> RequestedCode:
    """Return the code of a request. Raise ``InvalidRequest`` with the issues of shape and of rules together."""
    issues = check_shape(PIX_SHAPES, content) + check_format(content)
    rejected = {issue.field for issue in issues}
    charge = {
        EMV_NAMES[name]: value
        for name, value in content.items()
        if name in EMV_NAMES and value is not None and name not in rejected
    }
    try:
        code = brcode.encode(**charge)
    except brcode.InvalidCharge as error:
        found = map(public_issue, error.issues)
        issues += [issue for issue in found if issue.field not in rejected]
    if issues:
        raise InvalidRequest(*issues)
    return RequestedCode(code, content)


def _answer(requested: RequestedCode, call: Call) -> dict[str, Any]:
    code = requested.code
    return {
        "brcode": code.payload,
        "tipo": code.kind,
        "chave": code.key,
        "tipo_chave": code.key_type,
        "valor": code.amount,
        "nome_recebedor": code.merchant_name,
        "cidade": code.merchant_city,
        "txid": code.txid,
        "descricao": code.description,
        "ajustes": [
            {"campo": PUBLIC_NAMES[step.field], "de": step.before, "para": step.after, "motivo": step.reason}
            for step in code.adjustments
        ],
        "alertas": [_alert(alert, call.language) for alert in code.alerts],
        **picture_of(code.payload, requested.content),
    }


def _alert(alert: brcode.Issue, language: str) -> dict[str, str]:
    detail = alert.detail(language, PUBLIC_NAMES)
    return {"campo": PUBLIC_NAMES[str(alert.field)], "codigo": alert.code, "detalhe": detail}


def _adjustments(code: dict[str, Any]) -> str:
    return ", ".join(f"{change['campo']};{change['motivo']}" for change in code["ajustes"])


def _alerts(code: dict[str, Any]) -> str:
    return ", ".join(f"{alert['campo']};{alert['codigo']}" for alert in code["alertas"])


def _models() -> tuple[Model, Model]:
    from brskills_server.skills.pix.models import PixCode, PixRequest  # imports pydantic

    return PixRequest, PixCode


CREATE_PIX_CODE = Skill(
    name="create_pix_code",
    scope="pix",
    texts=Texts(
        title="Criar um código Pix",
        purpose="Gera um BR Code (Pix copia-e-cola) e o seu QR.",
        use="quando alguém quer cobrar ou receber por Pix e a chave, o nome e a cidade de quem recebe são "
        "conhecidos: pergunte pelo que faltar, não invente.",
        avoid="para pagar, para saber se um Pix foi pago ou para ler um código pronto (decode_pix_code).",
        notes="Os campos informados definem o tipo: chave, url, url_recorrencia ou ispb_saque. Conta uma chamada "
        "do mês; uma requisição recusada não conta. Leia ajustes, com o que mudou nos textos, e alertas, com "
        "prováveis enganos.",
        english="Create a Brazilian Pix payment code and its QR image; it moves no money.",
        guide="""Needed: the Pix key (`chave`), the name (`nome_recebedor`) and the city (`cidade`) of the payee. Ask for what is missing. Without `valor` the payer enters the amount.

    curl -s {base}/api/v1/skills/pix -H "X-API-Key: {key}" -H 'Content-Type: application/json' \\
      -d '{"chave": "pix@exemplo.com.br", "valor": "49.90", "nome_recebedor": "Padaria", "cidade": "São Paulo", "txid": "PEDIDO42"}'

Give the user `brcode` exactly as it is, in a code block. Report each entry in `ajustes`, a change that makes a text fit. Report each entry in `alertas` before the code is used: the key is probably mistyped (`email_sem_ponto`, `telefone_fixo`), and the code pays to it as written; or the code can be paid more often than meant (`uso_unico_estatico`), or may be refused by a bank (`uso_unico_ausente`). For a picture, repeat the call with `-H 'Accept: image/png' -o pix.png` (or `image/svg+xml`); that counts as another call, unless both are sent under one `Idempotency-Key`.""",
    ),
    models=_models,
    shapes=PIX_SHAPES,
    prepare=_encode,
    answer=_answer,
    write=write_plain,
    content=dict,
    endpoints=(
        Endpoint("POST", "/api/v1/skills/pix", "createPixCode", {
            "estatico": {**_PAYEE, "chave": "pix@exemplo.com.br", "valor": "49.90", "txid": "PEDIDO42"},
            "sem_valor": {**_PAYEE, "chave": "pix@exemplo.com.br"},
            "dinamico": {**_PAYEE, "url": "pix.exemplo.com.br/qr/v2/9d36b84f", "uso_unico": True},
        }),
    ),
    forms={
        "text/plain": lambda code: str(code["brcode"]),
        "image/svg+xml": svg,
        "image/png": png,
    },
    remarks={"X-Ajustes": _adjustments, "X-Alertas": _alerts},
    example={
        "brcode": EXAMPLE_CODE, "tipo": "estatico", "chave": "pix@exemplo.com.br", "tipo_chave": "email",
        "valor": "49.90", "nome_recebedor": "Padaria", "cidade": "Sao Paulo", "txid": "PEDIDO42",
        "descricao": None,
        "ajustes": [{"campo": "cidade", "de": "São Paulo", "para": "Sao Paulo", "motivo": "transliterado"}],
        "alertas": [],
    },
)  # fmt: skip
