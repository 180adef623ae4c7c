"""Texts of the issues of request fields, by machine code, in Portuguese and English.

Those of a Pix code's own rules are in ``brcode.errors``.
"""

_TEXTS = {
    "required": ("Campo obrigatório.", "Required field."),
    "conflicting_fields": ("Não pode ser enviado junto com {others}.", "Cannot be combined with {others}."),
    "unknown_field": (
        "Campo desconhecido. Campos aceitos: {known}.",
        "Unknown field. Accepted fields: {known}.",
    ),
    "invalid_type": ("Tipo inválido. Tipo esperado: {expected}.", "Invalid type. Expected type: {expected}."),
    "invalid_value": ("Valor inválido. Use um destes: {expected}.", "Invalid value. Use one of: {expected}."),
    "out_of_range": (
        "Fora do intervalo. Use um inteiro {expected}.",
        "Out of range. Use a whole number {expected}.",
    ),
    "too_long": (
        "Longo demais. O máximo são {limit} caracteres.",
        "Too long. The maximum is {limit} characters.",
    ),
    "invalid_length": (
        "Tamanho inválido. A lista deve ter {expected} itens.",
        "Invalid length. The list must have {expected} items.",
    ),
    "invalid_form": (
        "Formato inválido. O texto deve corresponder a {expected}.",
        "Invalid format. The text must match {expected}.",
    ),
    "rejected": ("Valor inválido.", "Invalid value."),
    "empty": ("Não pode ser vazio.", "Must not be empty."),
    "invalid_email": (
        "E-mail inválido. Use um endereço como nome@exemplo.com.br, com letras sem acento, dígitos e . _ + - antes do @. O campo é opcional.",
        "Invalid email. Use an address such as name@example.com, with unaccented letters, digits, and . _ + - before the @. The field is optional.",
    ),
    "invalid_cnpj": (
        "CNPJ inválido. Um CNPJ tem 12 letras ou dígitos e 2 dígitos verificadores, com ou sem máscara: 12.ABC.345/01DE-35.",
        "Invalid CNPJ. A CNPJ has 12 letters or digits and 2 check digits, masked or not: 12.ABC.345/01DE-35.",
    ),
    "invalid_check_digits": (
        "Os dígitos verificadores do CNPJ não conferem. Confira a digitação.",
        "The CNPJ's check digits do not match. Check for typing errors.",
    ),
    "too_many_keys": (
        "A conta já tem {limit} chaves ativas. Espere o fim de uma sobreposição ou use 0.",
        "The account already has {limit} active keys. Wait for an overlap to end, or use 0.",
    ),
}
FIELD_TEXTS = {code: {"pt": pt, "en": en} for code, (pt, en) in _TEXTS.items()}
