"""The fields of a Pix request, from which its models and its check are made.

Limits and rules are in ``brcode.fields``; ``form`` is for JSON schemas alone.
"""

from decimal import Decimal
from typing import Any, Literal, NamedTuple

import brcode
from brcode.fields import FIELDS
from brcode.qr import QR_MARGIN, QR_PIXELS
from brskills_server.skills.issues import FieldIssue
from brskills_server.skills.shape import Shape

KeyTypeName = Literal["cpf", "cnpj", "email", "telefone", "aleatoria"]
MAX_CODE_LENGTH = 4096
_NO_CODE = {
    "pt": "Não pode ser vazio. Envie o texto do Pix copia e cola, que começa por 000201.",
    "en": "Must not be empty. Send the text of the Pix copia e cola, which starts with 000201.",
}
_LOCATION = r"^([a-z]+://)?[A-Za-z0-9][A-Za-z0-9._-]*/[!-~]+$"


class PixField(NamedTuple):
    """One field. ``type`` is what a request may give, ``form`` a pattern or the members of a JSON Schema.

    ``emv_name``: the parameter of ``brcode.encode``, empty if the code does not hold it. ``limits``: of a number.
    """

    name: str
    emv_name: str
    description: str
    example: str | None = None
    form: str | list[dict[str, Any]] | None = None
    type: Any = str
    required: bool = False
    default: Any = None
    limits: tuple[int, int] | None = None


PIX_FIELDS = (
    PixField("chave", "key",
        "Chave Pix: CPF, CNPJ (também alfanumérico), e-mail, telefone ou chave aleatória, com ou sem máscara. "
        "Obrigatória se não houver url nem url_recorrencia.", "pix@exemplo.com.br"),
    PixField("tipo_chave", "key_type",
        "Só é necessário quando a chave é ambígua: 11 dígitos de CPF e celular, ou 10 de telefone fixo e de CPF sem "
        "o zero.", "cpf", type=KeyTypeName),
    PixField("valor", "amount",
        "Reais, maior que zero, com no máximo duas casas. Sem ele, o pagador digita o valor.", "49.90",
        [{"type": "string", "pattern": r"^0*[0-9]{1,10}(\.[0-9]{1,2})?$"},
         {"type": "number", "exclusiveMinimum": 0}],
        type=str | int | Decimal),
    PixField("nome_recebedor", "merchant_name",
        f"Nome de quem recebe; convertido em 1 a {FIELDS['merchant_name'].limit} caracteres ASCII.", "Padaria São João", required=True),
    PixField("cidade", "merchant_city",
        f"Cidade de quem recebe; convertida em 1 a {FIELDS['merchant_city'].limit} caracteres ASCII.", "São Paulo", required=True),
    PixField("txid", "txid",
        f"Identificador da cobrança, 1 a {FIELDS['txid'].limit} letras e dígitos; *** quando ausente.", "PEDIDO42",
        rf"^([A-Za-z0-9]{{1,{FIELDS['txid'].limit}}}|\*\*\*)$"),
    PixField("descricao", "description", "Texto para o pagador (26-02).", "Pedido 42"),
    PixField("cep", "postal_code", "CEP de quem recebe (61).", "01310-100", r"^[0-9]{2}\.?[0-9]{3}-?[0-9]{3}$"),
    PixField("mcc", "mcc", "Código da categoria do comércio (52), 4 dígitos.", "5812", r"^[0-9]{4}$"),
    PixField("url", "location",
        "Localização de uma cobrança dinâmica (26-25), sem protocolo.", "pix.exemplo.com.br/qr/v2/9d36b84f",
        _LOCATION),
    PixField("url_recorrencia", "recurrence_location",
        "Pix Automático (80-25): sozinha, com url ou com chave.", "pix.exemplo.com.br/rec/9d36b84f", _LOCATION),
    PixField("ispb_saque", "withdrawal_ispb",
        "Pix Saque (26-03): ISPB do facilitador, 8 caracteres.", "12345678", r"^[0-9A-Z]{8}$"),
    PixField("uso_unico", "single_use",
        "Campo 01: true vira 12 (uso único), false vira 11; ausente, é omitido.", type=bool),
    PixField("estrito", "strict",
        "Recusa (422) tudo o que seria ajustado em nome, cidade, descrição e url.", type=bool, default=False),
)  # fmt: skip

QR_FIELDS = (
    PixField("qr", "",
        "Inclui na resposta JSON a imagem do QR, em base64. Para receber só a imagem, use Accept: image/png "
        "ou image/svg+xml.", "png", type=Literal["png", "svg"]),
    PixField("qr_tamanho", "", "Pixels de cada módulo do QR.", type=int, default=QR_PIXELS, limits=(1, 16)),
    PixField("qr_margem", "",
        "Margem do QR, em módulos. A norma pede 4: use menos só onde já há espaço branco em volta.",
        type=int, default=QR_MARGIN, limits=(0, 10)),
)  # fmt: skip
"""Fields about the picture of the code, in a JSON answer or chosen by ``Accept``."""

PIX_SHAPES = {
    field.name: Shape(field.type, field.required, limits=field.limits) for field in PIX_FIELDS + QR_FIELDS
}
EMV_NAMES = {field.name: field.emv_name for field in PIX_FIELDS}
PUBLIC_NAMES = {field.emv_name: field.name for field in PIX_FIELDS} | {"suggestion": "sugestao"}


def public_issue(issue: brcode.Issue) -> FieldIssue:
    """Return an issue of ``brcode`` under the field's public name."""
    texts = {language: issue.detail(language, PUBLIC_NAMES) for language in ("pt", "en")}
    return FieldIssue(PUBLIC_NAMES[str(issue.field)], issue.code, texts)


def explain_empty_code(issue: FieldIssue) -> FieldIssue:
    """Return the issue; that of an empty code with a text that says what to send."""
    return issue._replace(texts=_NO_CODE) if issue[:2] == ("brcode", "empty") else issue
