"""Every text that people read, in Portuguese and in English.

A template names a field by a placeholder, ``{field}`` for the one it is about and its EMV name for another:
the caller says what fields are called.
"""

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["FINDINGS", "ISSUES", "OWN_NAMES", "finding", "issue"]

OWN_NAMES: Mapping[str, str] = MappingProxyType({})
"""The default names of fields: an EMV name that a mapping of names does not hold stands for itself."""

# fmt: off
ISSUES: dict[str, tuple[str, str]] = {
    "required": ("Falta {field}: campo obrigatório.",
                 "{field} is required."),
    "conflicting_fields": ("{field} não pode vir junto com {others}.",
                           "{field} cannot be given together with {others}."),
    "invalid_type": ("{field} deve ser {expected}, e não um valor do tipo {got}.",
                     "{field} must be {expected}, not a value of type {got}."),
    "invalid_characters": ("{field} tem espaços ou caracteres que não podem ser escritos ali; use letras, dígitos e pontuação ASCII.",
                           "{field} has spaces or characters that cannot be written there; use ASCII letters, digits and punctuation."),
    "empty_after_cleaning": ("Nada em {field} pode ser escrito em ASCII. Use letras latinas ou dígitos.",
                             "Nothing in {field} can be written in ASCII. Use Latin letters or digits."),
    "too_long": ("{field} tem {length} caracteres e só cabem {limit}. Encurte o texto.",
                 "{field} has {length} characters and there is room for {limit}. Shorten it."),
    "would_adjust": ("Seria preciso ajustar {field} ({reasons}), e {strict} não permite.",
                     "{field} would have to be adjusted ({reasons}), and {strict} forbids it."),
    "invalid_key": ("{field} não tem a forma de {form}.",
                    "{field} does not have the form of {form}."),
    "invalid_check_digits": ("Os dígitos verificadores da chave {type} não conferem: há um erro de digitação. Confira a chave com quem recebe.",
                             "The check digits of the {type} in {field} are wrong: something was mistyped. Check the key with its owner."),
    "ambiguous_key": ("{field} tem 11 dígitos que valem como CPF e também como celular. Diga qual em {key_type}: cpf ou telefone.",
                      "{field} has 11 digits that are a CPF and a mobile number alike. Say which in {key_type}: cpf or telefone."),
    "invalid_key_type": ("{field} deve ser um de: {allowed}.",
                         "{field} must be one of: {allowed}."),
    "key_type_mismatch": ("{field} diz {wanted}, mas a {key} tem a forma de {found}. Corrija o que estiver errado: o tipo ou a chave.",
                          "{field} says {wanted}, but {key} has the form of {found}. Correct whichever is wrong: the type or the key."),
    "invalid_amount": ("{field} deve ser um número em reais com ponto decimal e até duas casas, como 49.90.",
                       "{field} must be a number of reais with a decimal point and at most two decimals, such as 49.90."),
    "too_many_decimals": ("{field} tem {decimals} casas decimais; o real tem duas.",
                          "{field} has {decimals} decimals; the real has two."),
    "not_positive": ("{field} deve ser maior que zero. Omita-o para que quem paga escolha o valor.",
                     "{field} must be greater than zero. Leave it out to let the payer choose the amount."),
    "amount_too_large": ("{field} passa de {largest}, o maior que cabe no código ({limit} caracteres).",
                         "{field} is over {largest}, the largest that fits the code ({limit} characters)."),
    "invalid_txid": ("{field} deve ter de 1 a {limit} letras sem acento ou dígitos, sem espaços nem símbolos.",
                     "{field} must be 1 to {limit} unaccented letters or digits, without spaces or symbols."),
    "invalid_postal_code": ("{field} deve ter oito dígitos, com ou sem hífen, como 70074-900.",
                            "{field} must be eight digits, with or without a hyphen, such as 70074-900."),
    "invalid_mcc": ("{field} deve ter quatro dígitos; 0000 quando não se sabe.",
                    "{field} must be four digits; 0000 when unknown."),
    "invalid_url": ("{field} deve ser um endereço sem protocolo, com servidor e caminho, como pix.exemplo.com/qr/v2/abc.",
                    "{field} must be an address without protocol, with host and path, such as pix.example.com/qr/v2/abc."),
    "invalid_ispb": ("{field} deve ter oito dígitos ou letras maiúsculas, como 30680829.",
                     "{field} must be eight digits or upper-case letters, such as 30680829."),
}

_RIGHT = (" O certo seria {right}.", " Right would be {right}.")
_OR = (" O certo seria {right}, ou {or_right} se o ponto separa milhares.",
       " Right would be {right}, or {or_right} if the point groups thousands.")

_LOOKS = {
    "code": (" Parece um código Pix inteiro: aqui vai só a chave que está nele.",
             " It looks like a whole Pix code: what belongs here is the key in it alone."),
    "address": (" Parece um endereço (URL): o de uma cobrança dinâmica vai em {location}.",
                " It looks like an address (URL): that of a dynamic charge belongs in {location}."),
    "email": (" Parece um e-mail: como chave ele se escreve nome@dominio, sem espaço nem acento.",
              " It looks like an e-mail: as a key it is written name@domain, without spaces or accents."),
    "cpf": (" Parece um CPF, que tem 11 dígitos; há {count}.",
            " It looks like a CPF, which has 11 digits; there are {count}."),
    "cnpj": (" Parece um CNPJ, que tem 14 letras ou dígitos, os dois últimos sempre dígitos; há {count}.",
             " It looks like a CNPJ, which has 14 letters or digits, the last two always digits; there are {count}."),
    "random": (" Parece uma chave aleatória, que tem 32 caracteres de 0 a 9 e de a a f; há {count}.",
               " It looks like a random key, which has 32 characters from 0 to 9 and a to f; there are {count}."),
    "no_area_code": (" Parece um telefone sem DDD: escreva-o antes, como em (11) 98765-4321.",
                     " It looks like a phone without its area code: put it first, as in (11) 98765-4321."),
    "area_code": (" Parece um telefone, mas de um DDD que não existe.",
                  " It looks like a phone, but there is no such area code."),
    "or_phone": (" Se é um celular, o DDD não existe.",
                 " If it is a mobile, there is no such area code."),
    "ninth_digit": (" Parece um celular: depois do DDD são 9 dígitos, e o primeiro é 9.",
                    " It looks like a mobile: after the area code come 9 digits, the first of them 9."),
    "trunk_zero": (" Parece um telefone com um zero antes do DDD: tire o zero.",
                   " It looks like a phone with a zero before its area code: leave the zero out."),
    "digits": (" Há {count} dígitos: um CPF tem 11, um CNPJ 14, um telefone com DDD 11 (celular) ou 10 (fixo).",
               " There are {count} digits: a CPF has 11, a CNPJ 14, a phone with its area code 11 (mobile) or 10 (landline)."),
}
"""What a wrong key looks like, and what would be right of that."""

_WORDS: dict[str, dict[str, tuple[str, str]]] = {
    "expected": {
        "text": ("um texto",
                 "a text"),
        "amount": ("um texto ou um número exato",
                   "a text or an exact number"),
        "boolean": ("true ou false",
                    "true or false"),
    },
    "nature": {
        "empty": ("o texto está vazio",
                  "the text is empty"),
        "address": ("é um endereço (URL); o de uma cobrança dinâmica só vale dentro de um código, no campo {location}",
                    "it is an address (URL); that of a dynamic charge is good inside of a code alone, in its field {location}"),
        "boleto": ("são os números de um boleto, que se paga à parte; se ele também aceita Pix, o código está no QR impresso nele",
                   "these are the numbers of a boleto, which is paid in another way; if it takes Pix too, the code is in the QR printed on it"),
        "other_payment": ("é o texto do QR de outro meio de pagamento, sem a marca br.gov.bcb.pix; peça um Pix a quem cobra",
                          "it is the text of another means of payment's QR, without the mark br.gov.bcb.pix; ask whoever charges for a Pix"),
        "key": ("é uma chave Pix, sem o código em volta; para pagar a ela basta a chave, e um código se faz dela com nome e cidade",
                "it is a Pix key without the code around it; the key alone is enough to pay to it, and a code is made of it with name and city"),
        "text": ("é um texto comum",
                 "it is ordinary text"),
    },
    "form": {
        "": ("nenhuma chave Pix: CPF (11 dígitos), CNPJ (14 dígitos ou letras), e-mail, telefone com DDD em uso ou chave aleatória (UUID)",
             "any Pix key: CPF (11 digits), CNPJ (14 digits or letters), e-mail, phone with an area code in use or random key (UUID)"),
        "cpf": ("um CPF: 11 dígitos, com ou sem máscara",
                "a CPF: 11 digits, masked or not"),
        "cnpj": ("um CNPJ: 12 dígitos ou letras e dois dígitos, com ou sem máscara",
                 "a CNPJ: 12 digits or letters and two digits, masked or not"),
        "email": ("um e-mail aceito como chave: nome@dominio, um só @, sem espaço, acento nem %",
                  "an e-mail accepted as a key: name@domain, one @, no space, accent or %"),
        "telefone": ("um telefone: DDD em uso e 9 dígitos que começam por 9 (ou 8 de telefone fixo), ou + e o código do país",
                     "a phone: an area code in use and 9 digits that begin with 9 (or 8 of a landline), or + and a country code"),
        "aleatoria": ("uma chave aleatória: UUID como 123e4567-e89b-12d3-a456-426655440000",
                      "a random key: a UUID such as 123e4567-e89b-12d3-a456-426655440000"),
    },
}

FINDINGS: dict[str, tuple[str, str]] = {
    "not_a_pix_code": ("Isto não é um código Pix: {nature}. Envie o texto do Pix copia e cola, que começa por 000201.",
                       "This is not a Pix code: {nature}. Send the text of the Pix copia e cola, which begins with 000201."),
    "surrounding_space": ("Há espaços ou quebras de linha antes ou depois do código. Copie-o sem eles.",
                          "There is white space before or after the code. Copy it without."),
    "object_malformed": ("Não há um campo na posição {position} ({field}): esperavam-se dois dígitos de id e dois de tamanho. Algum tamanho antes dali está errado ou o código foi cortado; gere-o de novo.",
                         "There is no field at position {position} of {field}: two digits of id and two of length were expected. A length before it is wrong or the code was cut; generate it again."),
    "object_truncated": ("O campo {id} (posição {position}) anuncia mais caracteres do que restam: o código foi cortado ou o tamanho está errado. Copie-o inteiro.",
                         "Field {id} (position {position}) announces more characters than are left: the code was cut or the length is wrong. Copy all of it."),
    "object_empty": ("O campo {id} está vazio. Omita-o ou preencha-o.",
                     "Field {id} is empty. Leave it out or fill it in."),
    "object_repeated": ("O campo {id} aparece mais de uma vez. Deixe só um.",
                        "Field {id} appears more than once. Keep one."),
    "lengths_in_bytes": ("Os tamanhos contam bytes; devem contar caracteres. Escreva só ASCII ou conte caracteres.",
                         "The lengths count bytes; they must count characters. Write ASCII only or count characters."),
    "control_characters": ("Há caracteres de controle no código. Retire-os e gere o código de novo.",
                           "There are control characters in the code. Remove them and generate it again."),
    "non_ascii": ("Há caracteres fora do ASCII, que alguns bancos recusam e que podem ser invisíveis. Escreva sem acentos nem símbolos.",
                  "There are characters outside ASCII, which some banks refuse and which may be invisible. Write without accents or symbols."),
    "too_long": ("O código tem {length} caracteres; o máximo é {limit}. Encurte os campos opcionais.",
                 "The code has {length} characters; the most is {limit}. Shorten the optional fields."),
    "payload_format": ("O código deve começar por 000201. Copie-o desde o começo.",
                       "The code must begin with 000201. Copy it from its beginning."),
    "initiation_method": ("O campo 01 só pode ser 11 (reutilizável) ou 12 (uso único). Corrija-o ou omita-o.",
                          "Field 01 may be 11 (reusable) or 12 (single use) only. Correct it or leave it out."),
    "pix_template_missing": ("Nenhum campo de 26 a 51 tem a marca br.gov.bcb.pix: não é um código Pix. Inclua o campo 26 com ela.",
                             "No field from 26 to 51 bears br.gov.bcb.pix: this is not a Pix code. Include field 26 with it."),
    "pix_template_repeated": ("O campo {id} é um segundo bloco Pix; só pode haver um. Deixe um só.",
                              "Field {id} is a second Pix template; there may be one. Keep one."),
    "pix_template_empty": ("O bloco Pix não tem {key} (01) nem {location} (25), nem há recorrência (80). Inclua um deles.",
                           "The Pix template has neither {key} (01) nor {location} (25), nor is there a recurrence (80). Include one."),
    "gui_missing": ("O bloco {id} não diz de quem é: falta nele o subcampo 00. Inclua-o.",
                    "Template {id} does not say whose it is: its subfield 00 is missing. Include it."),
    "gui_case": ("A marca está escrita {value}; alguns bancos só leem br.gov.bcb.pix. Escreva-a em minúsculas.",
                 "The mark is written {value}; some banks read br.gov.bcb.pix only. Write it in lower case."),
    "gui_not_first": ("A marca (00) não é o primeiro subcampo do bloco {id}, como os leitores esperam. Ponha-a na frente.",
                      "The mark (00) is not the first subfield of template {id}, where readers look. Put it first."),
    "key_and_location": ("Há {key} (26-01) e {location} (26-25) no mesmo bloco: ou o código é estático ou é dinâmico. Deixe um dos dois.",
                         "There are both a key (26-01) and a location (26-25): a code is static or dynamic. Keep one of them."),
    "key_form": ("A chave não tem a forma de CPF, CNPJ, e-mail em minúsculas, telefone +55… ou chave aleatória. Escreva-a sem máscara.",
                 "The key has none of the forms CPF, CNPJ, lower-case e-mail, phone +55… or random key. Write it without a mask."),
    "key_check_digits": ("Os dígitos verificadores da chave {type} não conferem: a chave não existe. Confira-a com quem recebe.",
                         "The check digits of the {type} key are wrong: no such key exists. Check it with its owner."),
    "key_upper_case": ("A chave aleatória tem maiúsculas, e alguns bancos não a acham. Escreva-a em minúsculas.",
                       "The random key has upper-case letters, and some banks do not find it. Write it in lower case."),
    "key_phone_number": ("O telefone não tem DDD em uso ou a quantidade de dígitos do Brasil. Confira o número.",
                         "The phone has no area code in use or not the digits of a Brazilian number. Check the number."),
    "telefone_fixo": ("A chave é um telefone fixo, de 8 dígitos depois do DDD; um celular tem 9, e o primeiro é 9. Se era um celular, falta um dígito: confira o número com quem recebe.",
                      "The key is a landline, with 8 digits after the area code; a mobile has 9, the first of them 9. If a mobile was meant, a digit is missing: check the number with its owner."),
    "email_sem_ponto": ("O domínio do e-mail não tem ponto, como em nome@exemplo.com.br: deve faltar o fim. Confira a chave com quem recebe.",
                        "The e-mail's domain has no dot, as name@example.com has: its end is probably missing. Check the key with its owner."),
    "description_too_long": ("A descrição tem {length} caracteres; o máximo é {limit}. Encurte-a.",
                             "The description has {length} characters; the most is {limit}. Shorten it."),
    "ignored_with_location": ("Num código dinâmico os leitores ignoram {field}: o que vale está na {location}. Omita esse campo.",
                              "Readers ignore {field} in a dynamic code: what counts lies behind the {location}. Leave it out."),
    "withdrawal_ispb": ("O ISPB do saque (26-03) deve ter oito dígitos ou letras maiúsculas. Corrija-o.",
                        "The withdrawal's ISPB (26-03) must be eight digits or upper-case letters. Correct it."),
    "location_protocol": ("{field} começa por um protocolo. Escreva só servidor e caminho, sem https://.",
                          "{field} begins with a protocol. Write host and path only, without https://."),
    "location_form": ("{field} não é um endereço com servidor e caminho, como pix.exemplo.com/qr/v2/abc. Corrija-o.",
                      "{field} is not an address with host and path, such as pix.example.com/qr/v2/abc. Correct it."),
    "mcc": ("O campo 52 deve ter quatro dígitos. Use 0000 quando não se sabe o ramo.",
            "Field 52 must be four digits. Use 0000 when the category is unknown."),
    "currency": ("O campo 53 deve ser 986, o real. Corrija-o ou inclua-o.",
                 "Field 53 must be 986, the real. Correct or include it."),
    "amount_form": ("O valor não é um número com ponto decimal, até duas casas e {limit} caracteres. Escreva-o como 49.90.",
                    "The amount is not a number with a decimal point, two decimals and {limit} characters at most. Write it like 49.90."),
    "amount_zero": ("O valor é zero. Omita o campo 54 para que quem paga escolha o valor.",
                    "The amount is zero. Leave field 54 out to let the payer choose it."),
    "amount_zero_dynamic": ("O valor é zero, e alguns bancos recusam o código. Omita o campo 54: o valor está na {location}.",
                            "The amount is zero, and some banks refuse the code. Leave field 54 out: the amount lies behind the {location}."),
    "amount_not_canonical": ("O valor está escrito {value}, que já foi lido errado (198 como R$ 1,98). Escreva {right}.",
                             "The amount is written {value}, which was misread before (198 as R$ 1.98). Write {right}."),
    "country": ("O campo 58 deve ser BR. Corrija-o ou inclua-o.",
                "Field 58 must be BR. Correct or include it."),
    "name_missing": ("Falta o nome do recebedor (59). Inclua-o.",
                     "The merchant's name (59) is missing. Include it."),
    "name_too_long": ("O nome do recebedor tem {length} caracteres; o máximo é {limit}. Encurte-o.",
                      "The merchant's name has {length} characters; the most is {limit}. Shorten it."),
    "name_characters": ("O nome do recebedor tem caracteres fora do ASCII. Escreva-o sem acentos nem símbolos.",
                        "The merchant's name has characters outside ASCII. Write it without accents or symbols."),
    "city_missing": ("Falta a cidade (60). Inclua-a.",
                     "The city (60) is missing. Include it."),
    "city_too_long": ("A cidade tem {length} caracteres; o máximo é {limit}. Encurte-a.",
                      "The city has {length} characters; the most is {limit}. Shorten it."),
    "city_characters": ("A cidade tem caracteres fora do ASCII. Escreva-a sem acentos nem símbolos.",
                        "The city has characters outside ASCII. Write it without accents or symbols."),
    "padded": ("{field} começa ou termina por espaço. Retire-o.",
               "{field} begins or ends with a space. Remove it."),
    "postal_code": ("O CEP (61) tem mais de {limit} caracteres ou caracteres fora do ASCII. Escreva oito dígitos.",
                    "The postal code (61) has more than {limit} characters or some outside ASCII. Write eight digits."),
    "additional_data_missing": ("Falta o campo 62 com o txid. Inclua 62070503***.",
                                "Field 62 with the txid is missing. Include 62070503***."),
    "txid_missing": ("Falta o txid (62-05). Inclua 0503*** no campo 62.",
                     "The txid (62-05) is missing. Include 0503*** in field 62."),
    "txid_too_long": ("O txid tem {length} caracteres; o máximo é {limit}. Encurte-o.",
                      "The txid has {length} characters; the most is {limit}. Shorten it."),
    "txid_characters": ("O txid tem mais que letras e dígitos. Escreva só [A-Za-z0-9] ou ***.",
                        "The txid has more than letters and digits. Write [A-Za-z0-9] only, or ***."),
    "txid_characters_dynamic": ("O txid tem mais que letras e dígitos; num código dinâmico ele está na {location}. Escreva ***.",
                                "The txid has more than letters and digits; in a dynamic code it lies behind the {location}. Write ***."),
    "brcode_version_field": ("O campo 62-50 saiu da norma depois da versão 1. Omita-o.",
                             "Field 62-50 left the norm after version 1. Leave it out."),
    "recurrence_empty": ("O bloco {id} de Pix Automático não tem a {location} da recorrência (25). Inclua-a.",
                         "The Pix Automático template {id} has no recurrence location (25). Include it."),
    "recurrence_repeated": ("O campo {id} é um segundo bloco de Pix Automático; só pode haver um. Deixe um só.",
                            "Field {id} is a second Pix Automático template; there may be one. Keep one."),
    "recurrence_legacy_field": ("O bloco {id} traz o subcampo 01 do primeiro manual, que os leitores ignoram. Use 25 ou omita o bloco.",
                                "Template {id} has subfield 01 of the first manual, which readers ignore. Use 25 or leave it out."),
    "crc_missing": ("Falta o CRC (63) no fim: o código foi cortado. Copie-o inteiro.",
                    "The CRC (63) at the end is missing: the code was cut. Copy all of it."),
    "crc_not_last": ("O CRC (63) não é o último campo. Ponha-o no fim e calcule-o de novo.",
                     "The CRC (63) is not the last field. Put it at the end and compute it again."),
    "crc_form": ("O CRC não são quatro dígitos hexadecimais. Escreva 6304 e quatro dígitos, com zeros à esquerda.",
                 "The CRC is not four hexadecimal digits. Write 6304 and four digits, zero-padded."),
    "crc_mismatch": ("O CRC é {value} e deveria ser {right}: o código foi alterado ou mal copiado. Copie-o ou gere-o de novo.",
                     "The CRC is {value} and should be {right}: the code was altered or badly copied. Copy or generate it again."),
    "crc_latin1": ("O CRC foi calculado sobre Latin-1; sobre UTF-8 é {right}. Escreva só ASCII, em que os dois são iguais.",
                   "The CRC was computed over Latin-1; over UTF-8 it is {right}. Write ASCII only, where both agree."),
    "crc_lower_case": ("O CRC tem minúsculas, e alguns bancos o recusam. Escreva {right}.",
                       "The CRC has lower-case letters, and some banks refuse it. Write {right}."),
}
# fmt: on


class _Parameters(dict[str, object]):
    """What stands for the placeholders of a template: parameters, names of fields, and EMV names."""

    def __missing__(self, emv_name: str) -> str:
        return emv_name


def issue(
    code: str, field: str, params: Mapping[str, str | int], language: str, names: Mapping[str, str]
) -> str:
    """The text of an issue; behind it the right writing where it is known, or what a value looks like."""
    index = int(language == "en")
    template = ISSUES[code][index]
    if "or_right" in params:
        template += _OR[index]
    elif "right" in params:
        template += _RIGHT[index]
    if "looks" in params:
        template += _LOOKS[str(params["looks"])][index]
    return _fill(template, field, params, index, names)


def finding(
    rule: str, field: str | None, params: Mapping[str, str | int], language: str, names: Mapping[str, str]
) -> str:
    """The text of a finding."""
    index = int(language == "en")
    return _fill(FINDINGS[rule][index], field or ("código", "the code")[index], params, index, names)


def _fill(
    template: str, field: str, params: Mapping[str, str | int], index: int, names: Mapping[str, str]
) -> str:
    words = _Parameters(names, field=names.get(field, field))
    for name, value in params.items():
        if name in _WORDS:
            words[name] = _WORDS[name][str(value)][index].format_map(words)
        elif name == "others":
            words[name] = ", ".join(names.get(other, other) for other in str(value).split(", "))
        else:
            words[name] = value
    return template.format_map(words)
