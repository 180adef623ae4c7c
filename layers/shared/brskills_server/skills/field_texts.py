"""Texts of the issues of request fields, by machine code, in Portuguese and English.

Those of a Pix code's own rules are in ``brcode.texts``.
"""

FIELD_TEXTS = {
    "required": {"pt": "Campo obrigatório.", "en": "Required field."},
    "conflicting_fields": {
        "pt": "Não pode ser enviado junto com {others}.",
        "en": "Cannot be combined with {others}.",
    },
    "unknown_field": {
        "pt": "Campo desconhecido. Campos aceitos: {known}.",
        "en": "Unknown field. Accepted fields: {known}.",
    },
    "invalid_type": {
        "pt": "Tipo inválido. Tipo esperado: {expected}.",
        "en": "Invalid type. Expected type: {expected}.",
    },
    "invalid_value": {
        "pt": "Valor inválido. Use um destes: {expected}.",
        "en": "Invalid value. Use one of: {expected}.",
    },
    "out_of_range": {
        "pt": "Fora do intervalo. Use um inteiro {expected}.",
        "en": "Out of range. Use a whole number {expected}.",
    },
    "too_long": {
        "pt": "Longo demais. O máximo são {limit} caracteres.",
        "en": "Too long. The maximum is {limit} characters.",
    },
    "invalid_length": {
        "pt": "Tamanho inválido. A lista deve ter {expected} itens.",
        "en": "Invalid length. The list must have {expected} items.",
    },
    "invalid_form": {
        "pt": "Formato inválido. O texto deve corresponder a {expected}.",
        "en": "Invalid format. The text must match {expected}.",
    },
    "rejected": {"pt": "Valor inválido.", "en": "Invalid value."},
    "empty": {"pt": "Não pode ser vazio.", "en": "Must not be empty."},
    "invalid_email": {
        "pt": "E-mail inválido. Use um endereço como nome@exemplo.com.br, com letras sem acento, dígitos e . _ + - antes do @. O campo é opcional.",
        "en": "Invalid email. Use an address such as name@example.com, with unaccented letters, digits, and . _ + - before the @. The field is optional.",
    },
    "invalid_cnpj": {
        "pt": "CNPJ inválido. Um CNPJ tem 12 letras ou dígitos e 2 dígitos verificadores, com ou sem máscara: 12.ABC.345/01DE-35.",
        "en": "Invalid CNPJ. A CNPJ has 12 letters or digits and 2 check digits, masked or not: 12.ABC.345/01DE-35.",
    },
    "invalid_check_digits": {
        "pt": "Os dígitos verificadores do CNPJ não conferem. Confira a digitação.",
        "en": "The CNPJ's check digits do not match. Check for typing errors.",
    },
    "too_many_keys": {
        "pt": "A conta já tem {limit} chaves ativas. Espere o fim de uma sobreposição ou use 0.",
        "en": "The account already has {limit} active keys. Wait for an overlap to end, or use 0.",
    },
}  # fmt: skip
