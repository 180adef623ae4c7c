"""Texts of the issues that ``encode`` raises, in Portuguese and English.

``{field}`` is the issue's field; a field's EMV name in braces is that field. Other placeholders are
the issue's ``params``.
"""

# fmt: off
ENCODE_TEXTS: dict[str, tuple[str, str]] = {
    "required": ("O campo {field} é obrigatório.",
                 "{field} is required."),
    "conflicting_fields": ("O campo {field} não pode ser enviado junto com {others}.",
                           "{field} cannot be combined with {others}."),
    "invalid_type": ("{field} deve ser {expected}, e não um valor do tipo {got}.",
                     "{field} must be {expected}, not a value of type {got}."),
    "invalid_characters": ("{field} contém espaços ou caracteres não permitidos. Use letras sem acento, dígitos e pontuação ASCII.",
                           "{field} contains spaces or characters that are not allowed. Use unaccented letters, digits, and ASCII punctuation."),
    "empty_after_cleaning": ("{field} não contém nenhum caractere que possa ser convertido em ASCII. Use letras latinas ou dígitos.",
                             "{field} contains no characters that can be converted to ASCII. Use Latin letters or digits."),
    "too_long": ("{field} tem {length} caracteres; o máximo é {limit}. Encurte-o.",
                 "{field} has {length} characters; the maximum is {limit}. Shorten it."),
    "would_adjust": ("{field} precisaria de ajustes ({reasons}), e {strict} não os permite.",
                     "{field} would need adjustments ({reasons}), which {strict} does not allow."),
    "invalid_key": ("{field} não é {form}.",
                    "{field} is not {form}."),
    "invalid_check_digits": ("Os dígitos verificadores do {type} não conferem: há um erro de digitação. Confira a chave com quem recebe.",
                             "The {type} check digits in {field} do not match, so it was probably mistyped. Check the key with its owner."),
    "ambiguous_key": ("{field} tem 11 dígitos que podem ser um CPF ou um celular. Informe qual em {key_type}: cpf ou telefone.",
                      "{field} has 11 digits that could be a CPF or a mobile number. Set {key_type} to cpf or telefone."),
    "invalid_key_type": ("{field} deve ser um de: {allowed}.",
                         "{field} must be one of: {allowed}."),
    "key_type_mismatch": ("{field} é {wanted}, mas {key} tem o formato de {found}. Corrija o tipo ou a chave.",
                          "{field} is {wanted}, but {key} has the format of {found}. Correct the type or the key."),
    "invalid_amount": ("{field} deve ser um número em reais com ponto decimal e até duas casas, como 49.90.",
                       "{field} must be a number of reais with a decimal point and at most two decimals, such as 49.90."),
    "too_many_decimals": ("{field} tem {decimals} casas decimais; o máximo é duas.",
                          "{field} has {decimals} decimals; the maximum is two."),
    "not_positive": ("{field} deve ser maior que zero. Omita-o para que o pagador informe o valor.",
                     "{field} must be greater than zero. Omit it to let the payer enter the amount."),
    "amount_too_large": ("{field} é maior que {largest}, o máximo de um código ({limit} caracteres).",
                         "{field} is greater than {largest}, the maximum for a code ({limit} characters)."),
    "invalid_txid": ("{field} deve ter de 1 a {limit} letras sem acento ou dígitos, sem espaços nem símbolos.",
                     "{field} must be 1 to {limit} unaccented letters or digits, without spaces or symbols."),
    "invalid_postal_code": ("{field} deve ter oito dígitos, com ou sem hífen, como 70074-900.",
                            "{field} must be eight digits, with or without a hyphen, such as 70074-900."),
    "invalid_mcc": ("{field} deve ter quatro dígitos. Use 0000 se a categoria não for conhecida.",
                    "{field} must be four digits. Use 0000 if the category is unknown."),
    "invalid_url": ("{field} deve ser um endereço sem protocolo, com servidor e caminho, como pix.exemplo.com/qr/v2/abc.",
                    "{field} must be an address without its protocol, with host and path, such as pix.example.com/qr/v2/abc."),
    "wrong_location_kind": ("{field} contém a localização de outro tipo (/{kind}/). Envie-a em {others}.",
                            "{field} contains a location of another kind (/{kind}/). Send it in {others}."),
    "hosts_differ": ("{field} e {others} estão em servidores diferentes; num código composto, as duas têm de estar no mesmo. Confira as duas com o seu PSP.",
                     "{field} and {others} are on different hosts; in a composite code both must be on the same one. Check both with your PSP."),
    "invalid_ispb": ("{field} deve ter oito dígitos ou letras maiúsculas, como 30680829.",
                     "{field} must be eight digits or uppercase letters, such as 30680829."),
}

ENCODE_CASES: dict[str, tuple[str, str]] = {
    "conflicting_fields:behind": ("Omita {field}: com {others}, quem o define é o PSP, na própria cobrança.",
                                  "Omit {field}: with {others}, the PSP sets it in the charge itself."),
    "too_long:key": ("{field} tem {length} caracteres, e uma chave Pix tem no máximo {limit}. Confira se o texto enviado é mesmo a chave.",
                     "{field} has {length} characters, and a Pix key has at most {limit}. Check that the text sent is the key."),
    "too_long:withdrawal": ("{field} tem {length} caracteres; com {withdrawal_ispb}, cabem {limit}. Use uma chave mais curta, como a aleatória.",
                            "{field} has {length} characters; with {withdrawal_ispb}, the maximum is {limit}. Use a shorter key, such as a random one."),
    "too_long:no_room": ("{field} não cabe neste código: a chave ocupa todo o espaço. Omita o campo.",
                         "There is no room for {field} in this code: the key takes all of it. Omit the field."),
    "empty_after_cleaning:blank": ("O campo {field} está vazio.",
                                   "{field} is empty."),
    "ambiguous_key:lost_zeros": ("{field} tem {count} dígitos que podem ser um telefone ou um {type} sem os zeros da frente. Se for um telefone, informe telefone em {key_type}; se for um {type}, escreva-o com os zeros.",
                                 "{field} has {count} digits that could be a phone number or a {type} without its leading zeros. For a phone number, set {key_type} to telefone; for a {type}, write it with its zeros."),
}
"""Texts in place of those above, by code and ``params["case"]``."""

ALERT_TEXTS: dict[str, tuple[str, str]] = {
    "uso_unico_ausente": ("O código dinâmico ficou sem o campo 01, e alguns bancos não o aceitam assim. Em {field}, envie true se ele vale para um só pagamento, ou false se pode ser pago mais vezes.",
                          "The dynamic code has no field 01, and some banks do not accept it that way. Set {field} to true if it is for a single payment, or to false if it can be paid again."),
}
"""Texts of the alerts of a charge that its code alone does not show."""

RIGHT = (" Use {right}.", " Use {right}.")
OR_RIGHT = (" Use {right}, ou {or_right} se o ponto separa milhares.",
            " Use {right}, or {or_right} if the dot separates thousands.")

LOOKS = {
    "blank": (" Omita o campo ou preencha-o.",
              " Omit the field or fill it in."),
    "code": (" Parece um código Pix completo; envie só a chave que está nele.",
             " It looks like a complete Pix code; send only the key in it."),
    "address": (" Parece uma URL; a de uma cobrança dinâmica vai em {location}.",
                " It looks like a URL; send that of a dynamic charge in {location}."),
    "email": (" Parece um e-mail; o formato é nome@dominio, sem espaços nem acentos.",
              " It looks like an e-mail; the format is name@domain, without spaces or accents."),
    "cpf": (" Parece um CPF: são 11 dígitos, e foram enviados {count}.",
            " It looks like a CPF: it needs 11 digits, and {count} were sent."),
    "cnpj": (" Parece um CNPJ: são 14 letras ou dígitos, os dois últimos sempre dígitos, e foram enviados {count}.",
             " It looks like a CNPJ: it needs 14 letters or digits, the last two always digits, and {count} were sent."),
    "random": (" Parece uma chave aleatória: são 32 caracteres de 0 a 9 e de a a f, e foram enviados {count}.",
               " It looks like a random key: it needs 32 characters from 0 to 9 and a to f, and {count} were sent."),
    "account": (" Parece uma conta bancária: um código Pix não leva banco, agência nem conta, só uma chave registrada. Peça a chave a quem recebe.",
                " It looks like a bank account: a Pix code cannot hold a bank, branch, or account, only a registered key. Ask the payee for the key."),
    "lost_zeros": (" Parece um {type} sem os zeros da frente: escreva-o com eles.",
                   " It looks like a {type} without its leading zeros: write them too."),
    "no_area_code": (" Parece um telefone sem DDD: inclua o DDD, como em (11) 98765-4321.",
                     " It looks like a phone number without its area code: include it, as in (11) 98765-4321."),
    "area_code": (" Parece um telefone, mas o DDD não existe.",
                  " It looks like a phone number, but its area code does not exist."),
    "or_phone": (" Se for um celular, o DDD não existe.",
                 " If it is a mobile number, its area code does not exist."),
    "ninth_digit": (" Parece um celular: depois do DDD são 9 dígitos, começando por 9.",
                    " It looks like a mobile number: after the area code it needs 9 digits, starting with 9."),
    "trunk_zero": (" Parece um telefone com um zero antes do DDD: remova o zero.",
                   " It looks like a phone number with a zero before its area code: remove the zero."),
    "digits": (" Dígitos enviados: {count}. Um CPF tem 11, um CNPJ 14, um telefone com DDD 11 (celular) ou 10 (fixo).",
               " Digits sent: {count}. A CPF has 11, a CNPJ 14, a phone number with its area code 11 (mobile) or 10 (landline)."),
}
"""What a rejected value looks like, and how to correct it."""

ENCODE_PHRASES: dict[str, dict[str, tuple[str, str]]] = {
    "type": {"cpf": ("CPF", "CPF"), "cnpj": ("CNPJ", "CNPJ")},
    "expected": {
        "text": ("um texto",
                 "a string"),
        "amount": ("um texto ou um número exato",
                   "a string or an exact number"),
        "boolean": ("true ou false",
                    "true or false"),
    },
    "form": {
        "": ("uma chave Pix válida: CPF (11 dígitos), CNPJ (14 dígitos ou letras), e-mail, telefone com DDD em uso ou chave aleatória (UUID)",
             "a valid Pix key: CPF (11 digits), CNPJ (14 digits or letters), email, phone number with an area code in use, or random key (UUID)"),
        "cpf": ("um CPF válido: 11 dígitos, com ou sem máscara",
                "a valid CPF: 11 digits, masked or not"),
        "cnpj": ("um CNPJ válido: 12 dígitos ou letras e dois dígitos, com ou sem máscara",
                 "a valid CNPJ: 12 digits or letters and two digits, masked or not"),
        "email": ("um e-mail válido como chave: nome@dominio, um só @, sem espaço, acento, % nem &",
                  "a valid email for a key: name@domain, one @, no space, accent, % or &"),
        "telefone": ("um telefone válido: DDD em uso e 9 dígitos que começam por 9 (ou 8 de telefone fixo), ou + e o código do país",
                     "a valid phone number: an area code in use and 9 digits that start with 9 (or 8 of a landline), or + and a country code"),
        "aleatoria": ("uma chave aleatória válida: UUID como 123e4567-e89b-12d3-a456-426655440000",
                      "a valid random key: a UUID such as 123e4567-e89b-12d3-a456-426655440000"),
    },
}
"""Parameters that are phrases: parameter, value → phrase."""
