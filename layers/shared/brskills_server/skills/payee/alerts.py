"""Alerts of the payee check: what the registry shows of a company, and their texts.

The texts state what the register has on a number, never that a key is registered, which only banks can know.
They accuse no payee: most alerts have honest causes.
"""

from collections.abc import Iterator
from datetime import date

from brskills_server.skills.payee.names import NameMatch

RECENT_DAYS = 90
"""A company opened fewer days ago is recent."""

STALE_DAYS = 60
"""Data of more days ago is old: the register is published monthly."""

_ACTIVE = "02"
ALERTS = {
    "codigo_invalido": {
        "pt": "O código quebra regras da norma: {rules}. POST /api/v1/skills/pix/decode explica cada uma.",
        "en": "The code breaks rules of the standard: {rules}. POST /api/v1/skills/pix/decode explains each one.",
    },
    "codigo_invalido:other_text": {
        "pt": "O texto não é um código Pix; POST /api/v1/skills/pix/decode diz o que ele é. Envie o Pix copia e cola, que começa por 000201.",
        "en": "The text is not a Pix code; POST /api/v1/skills/pix/decode says what it is. Send the Pix copia e cola, which starts with 000201.",
    },
    "empresa_inexistente": {
        "pt": "Fontes independentes concordam: nenhuma empresa no cadastro tem este CNPJ.",
        "en": "Independent sources agree: no company in the registry has this CNPJ.",
    },
    "empresa_inativa": {
        "pt": "No cadastro, a situação cadastral da empresa é {status}, não ativa.",
        "en": "In the registry, the company's status is {status}, not active.",
    },
    "empresa_recente": {
        "pt": f"A empresa foi aberta há menos de {RECENT_DAYS} dias, em {{opened}}.",
        "en": f"The company was opened less than {RECENT_DAYS} days ago, on {{opened}}.",
    },
    "nome_diverge": {
        "pt": "O nome informado não tem nada em comum com a razão social e o nome fantasia do cadastro deste CNPJ. Há razões legítimas, como uma loja que recebe por uma empresa de pagamentos: confirme com quem cobra, por outro canal.",
        "en": "The name given has nothing in common with the legal and trade names in the registry for this CNPJ. There are legitimate reasons, such as a shop paid through a payment company: confirm with the payee through another channel.",
    },
    "nome_nao_comparado": {
        "pt": "O nome informado não pôde ser comparado com a razão social e o nome fantasia do cadastro: ele pode ser uma marca que o cadastro não tem. Antes de pagar, veja se recebedor é quem você espera.",
        "en": "The name given could not be compared with the legal and trade names in the registry: it may be a brand that the registry does not have. Before paying, check that recebedor is whom you expect.",
    },
    "dado_antigo": {
        "pt": f"Os dados do cadastro são de {{data_base}}, há mais de {STALE_DAYS} dias, e não incluem mudanças posteriores.",
        "en": f"The registry data is from {{data_base}}, more than {STALE_DAYS} days ago, and does not include later changes.",
    },
    "sem_evidencia": {
        "pt": "A chave não é um CNPJ: o cadastro de empresas não tem informação sobre o recebedor.",
        "en": "The key is not a CNPJ: the company registry has no information about the payee.",
    },
    "sem_evidencia:location": {
        "pt": "A chave está em uma localização (url) que só os bancos leem: o nome no código não pode ser conferido aqui.",
        "en": "The key is behind a location (url) that only banks read: the name in the code cannot be checked here.",
    },
    "sem_evidencia:no_key": {
        "pt": "O texto não tem uma chave: não é possível saber quem receberia.",
        "en": "The text has no key: the payee cannot be determined.",
    },
    "sem_evidencia:check_digits": {
        "pt": "A chave parece um CNPJ, mas os dígitos verificadores não conferem: nenhuma empresa tem este número.",
        "en": "The key looks like a CNPJ, but its check digits do not match: no company has this number.",
    },
    "sem_evidencia:unconfirmed": {
        "pt": "As fontes que responderam não têm este CNPJ, mas ele pode ser recente demais para elas.",
        "en": "The sources that answered do not have this CNPJ, but it may be too recent for them.",
    },
}
"""Texts by language, by alert code; ``:wording`` follows a code that has several texts."""


def alerts_of_company(
    status: str | None, opened: date | None, data_day: date | None, name: NameMatch | None, today: date
) -> Iterator[str]:
    """Yield the codes of alerts, the most serious first.

    ``status``: the code of the situação cadastral. ``data_day``: the day of the data. ``name``: ``None``
    where no name was given. Unknown values cause no alert.
    """
    if status is not None and status != _ACTIVE:
        yield "empresa_inativa"
    if name == "diverge":
        yield "nome_diverge"
    if name == "desconhecido":
        yield "nome_nao_comparado"
    if opened is not None and (today - opened).days < RECENT_DAYS:
        yield "empresa_recente"
    if data_day is not None and (today - data_day).days > STALE_DAYS:
        yield "dado_antigo"
