"""Issues of a request: what is wrong with one field, by a machine code, in Portuguese and English."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from brskills_server.registry.errors import InvalidCnpj

EXPECTED = {
    "string_type": "texto (string)",
    "bool_type": "booleano (true, false)",
    "int_type": "inteiro (integer)",
    "is_instance_of": "número (number)",
    "decimal_type": "número (number)",
    "list_type": "lista (array)",
}
"""The expected type, by pydantic's name of the error."""

_MOST_NAME = 80

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
        "Longo demais. O máximo é de {limit} caracteres.",
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
    "invalid_url": (
        "Endereço inválido. Use https://, um domínio e a porta 443, como "
        "https://erp.example.com/brskills, sem endereço IP, usuário ou #.",
        "Invalid address. Use https://, a domain, and port 443, such as https://erp.example.com/brskills, "
        "without an IP address, user, or #.",
    ),
    "private_address": (
        "Endereço privado. Use um endereço público da internet. Em sua própria máquina, o serviço aceita "
        "http://127.0.0.1 se iniciado com WEBHOOK_ALLOW_LOOPBACK=1.",
        "Private address. Use a public address of the internet. On your own machine, the service accepts "
        "http://127.0.0.1 if started with WEBHOOK_ALLOW_LOOPBACK=1.",
    ),
    "rejected": ("Valor inválido.", "Invalid value."),
    "empty": ("Não pode ser vazio.", "Must not be empty."),
    "invalid_email": (
        "E-mail inválido. Use um endereço como nome@exemplo.com.br, com letras sem acento, dígitos e . _ + "
        "- antes do @. O campo é opcional.",
        "Invalid e-mail. Use an address such as name@example.com, with unaccented letters, digits, and . _ + "
        "- before the @. The field is optional.",
    ),
    "invalid_cnpj": (
        "CNPJ inválido. Um CNPJ tem 12 letras ou dígitos e 2 dígitos verificadores, com ou sem máscara: "
        "12.ABC.345/01DE-35.",
        "Invalid CNPJ. A CNPJ has 12 letters or digits and 2 check digits, masked or not: "
        "12.ABC.345/01DE-35.",
    ),
    "invalid_check_digits": (
        "Os dígitos verificadores do CNPJ não conferem. Confira a digitação.",
        "The CNPJ's check digits do not match. Check for typing errors.",
    ),
    "invalid_code": (
        "Código inválido. Formas aceitas: {expected}.",
        "Invalid code. Accepted forms: {expected}.",
    ),
    "invalid_date": (
        "Data inválida. Use AAAA-MM-DD, como 2026-01-31.",
        "Invalid date. Use YYYY-MM-DD, such as 2026-01-31.",
    ),
    "invalid_period": (
        "O fim do período é anterior ao início.",
        "The end of the period is before its start.",
    ),
    "without_words": (
        "O nome não tem letras sem acento nem algarismos que possam ser buscados.",
        "The name has no Latin letters or digits to search for.",
    ),
    "too_many_words": (
        "Palavras demais, ou comuns demais, para uma busca. Envie menos nomes, palavras mais longas ou mais "
        "campos; o máximo é de {limit} palavras em todos os nomes.",
        "Too many words, or too common ones, for one search. Send fewer names, longer words, or more "
        "fields; the maximum is {limit} words in all names.",
    ),
    "unknown_city": (
        "Município desconhecido. Use o nome, como São Paulo/SP, ou o código do IBGE (7 dígitos) ou do SIAFI "
        "(4).",
        "Unknown municipality. Use its name, as São Paulo/SP, or IBGE's code (7 digits) or SIAFI's (4).",
    ),
    "ambiguous_city": (
        "Há mais de um município com este nome: {expected}. Escreva o estado depois do nome, ou envie uf.",
        "Several municipalities have this name: {expected}. Write the state behind the name, or send uf.",
    ),
    "too_broad": (
        "Busca ampla demais. Informe este campo ou outro dos listados em errors.",
        "The search is too broad. Give this field or another of those listed in errors.",
    ),
    "invalid_cursor": (
        "O cursor não é desta busca. Envie os mesmos campos da página anterior, ou recomece sem cursor.",
        "The cursor does not belong to this search. Send the fields of the page before, or start again "
        "without a cursor.",
    ),
    "too_many_keys": (
        "A conta já tem {limit} chaves ativas. Espere o fim de uma sobreposição ou use 0.",
        "The account already has {limit} active keys. Wait for an overlap to end, or use 0.",
    ),
}
FIELD_TEXTS = {code: {"pt": pt, "en": en} for code, (pt, en) in _TEXTS.items()}
"""Texts by language, by machine code; those of a Pix code's own rules are in ``brcode.errors``."""

_LOST_ZEROS = {
    "pt": "CNPJ incompleto: parece que faltam zeros à esquerda, que planilhas removem. Confira o número e "
    "envie os 14 dígitos, como 02.674.113/0001-06.",
    "en": "Incomplete CNPJ: leading zeros seem to be missing, as spreadsheets remove them. Check the number "
    "and send all 14 digits, such as 02.674.113/0001-06.",
}


class FieldIssue(NamedTuple):
    """One rejected field: its public name (empty for the whole request), a machine code, texts by language.

    ``params`` fill the texts' placeholders; without any, texts are complete as they are.
    """

    field: str
    code: str
    texts: Mapping[str, str]
    params: Mapping[str, Any] = {}

    def detail(self, language: str) -> str:
        """Return what is wrong and what would be right, in ``pt`` or ``en``."""
        text = self.texts[language]
        return text.format(**self.params) if self.params else text


def issue(field: str, code: str, **params: Any) -> FieldIssue:
    """Return an issue with the texts of its code."""
    return FieldIssue(field, code, FIELD_TEXTS[code], params)


def cnpj_issue(field: str, invalid: InvalidCnpj) -> FieldIssue:
    """Return the issue of a text that is no CNPJ."""
    return FieldIssue(field, invalid.code, _LOST_ZEROS if invalid.lost_zeros else FIELD_TEXTS[invalid.code])


def wrong_type(field: str, *expected: str) -> FieldIssue:
    """Return the issue of a value of another type than those expected."""
    return issue(field, "invalid_type", expected=" / ".join(expected))


def unknown_fields(known: Iterable[str], content: Iterable[str]) -> list[FieldIssue]:
    """Return an issue for each name in a request that is not one of its fields."""
    names = dict.fromkeys(known)
    texts, params = FIELD_TEXTS["unknown_field"], {"known": ", ".join(names) or "—"}
    return [FieldIssue(name, "unknown_field", texts, params) for name in content if name not in names]


def shorten_name(name: str) -> str:
    """Return a caller's name for a field, cut where it is longer than any known name: it is sent back."""
    return name if len(name) <= _MOST_NAME else f"{name[:_MOST_NAME]}…"
