"""What is wrong with a field of a request, by machine code, in Portuguese and English.

The texts of a Pix code's own rules stand in ``brcode.texts``.
"""

__all__ = ["FIELD_TEXTS"]

FIELD_TEXTS = {
    "required": {"pt": "Campo obrigatório.", "en": "Required field."},
    "conflicting_fields": {
        "pt": "Não pode vir junto com {others}.",
        "en": "Cannot come together with {others}.",
    },
    "unknown_field": {
        "pt": "Campo desconhecido. Os aceitos são: {known}.",
        "en": "Unknown field. Those accepted are: {known}.",
    },
    "invalid_type": {
        "pt": "Tipo errado: esperado {expected}.",
        "en": "Wrong type: expected {expected}.",
    },
    "invalid_value": {
        "pt": "Valor não aceito. Use um destes: {expected}.",
        "en": "Value not accepted. Use one of these: {expected}.",
    },
    "out_of_range": {
        "pt": "Fora da faixa: use um inteiro {expected}.",
        "en": "Out of range: use a whole number {expected}.",
    },
    "too_long": {
        "pt": "Longo demais: no máximo {limit} caracteres.",
        "en": "Too long: at most {limit} characters.",
    },
    "invalid_length": {
        "pt": "Tamanho errado: a lista deve ter {expected} itens.",
        "en": "Wrong length: the list must have {expected} items.",
    },
    "invalid_form": {
        "pt": "Forma errada: o texto deve casar com {expected}.",
        "en": "Wrong form: the text must match {expected}.",
    },
    "rejected": {"pt": "Valor não aceito.", "en": "Value not accepted."},
    "empty": {"pt": "Não pode ser vazio.", "en": "Must not be empty."},
    "invalid_email": {
        "pt": "E-mail inválido; exemplo: nome@exemplo.com.br. Antes do @ vão letras sem acento, dígitos e . _ + -. O campo é opcional.",
        "en": "Invalid e-mail; example: name@example.com. Before the @ it takes letters without accents, digits and . _ + -. The field is optional.",
    },
    "invalid_cnpj": {
        "pt": "Um CNPJ tem 12 letras ou dígitos e 2 dígitos verificadores, com ou sem máscara: 12.ABC.345/01DE-35.",
        "en": "A CNPJ has 12 letters or digits and 2 check digits, masked or not: 12.ABC.345/01DE-35.",
    },
    "invalid_check_digits": {
        "pt": "Os dígitos verificadores do CNPJ não conferem; confira a digitação.",
        "en": "The CNPJ's check digits do not match; check the typing.",
    },
    "too_many_keys": {
        "pt": "A conta já tem {limit} chaves ativas; espere o fim de uma sobreposição ou use 0.",
        "en": "The account already has {limit} active keys; wait for an overlap to end or use 0.",
    },
}  # fmt: skip
