"""Alerts of the payee check, in Portuguese and English.

They say what the register says of a number, and never that a key is registered: only banks can know that.
They accuse nobody: most of what raises an alert is honest.
"""

from brskills_server.skills.payee import RECENT_DAYS, STALE_DAYS

__all__ = ["ALERTS"]

ALERTS = {
    "codigo_invalido": {
        "pt": "O código quebra regras da norma: {rules}. POST /api/v1/skills/pix/decode explica cada uma.",
        "en": "The code breaks rules of the norm: {rules}. POST /api/v1/skills/pix/decode explains each.",
    },
    "codigo_invalido:other_text": {
        "pt": "O texto não é um código Pix; POST /api/v1/skills/pix/decode diz o que é. Envie o Pix copia e cola, que "
        "começa por 000201.",
        "en": "The text is not a Pix code; POST /api/v1/skills/pix/decode tells what it is. Send the Pix copia e cola, "
        "which begins with 000201.",
    },
    "empresa_inexistente": {
        "pt": "Fontes independentes concordam: não há empresa com este CNPJ no registro.",
        "en": "Independent sources agree: no company in the registry has this CNPJ.",
    },
    "empresa_inativa": {
        "pt": "No registro a situação cadastral da empresa é {status}, não ativa.",
        "en": "In the registry the company's status is {status}, not active.",
    },
    "empresa_recente": {
        "pt": f"A empresa foi aberta há menos de {RECENT_DAYS} dias, em {{opened}}.",
        "en": f"The company was opened less than {RECENT_DAYS} days ago, on {{opened}}.",
    },
    "nome_diverge": {
        "pt": "O nome no código nada tem em comum com a razão social e o nome fantasia que o registro tem deste "
        "CNPJ. Há razões honestas, como uma loja que recebe por uma empresa de pagamentos: confirme com quem "
        "cobra, por outro caminho.",
        "en": "The name in the code has nothing in common with the legal and trade names that the registry has of "
        "this CNPJ. There are honest reasons, such as a shop that is paid through a payment company: confirm it "
        "with whoever charges, by another way.",
    },
    "dado_antigo": {
        "pt": f"O dado do registro é de {{data_base}}, há mais de {STALE_DAYS} dias: o que mudou depois não está nele.",
        "en": f"The registry's data is of {{data_base}}, more than {STALE_DAYS} days ago: what changed since is not in it.",
    },
    "sem_evidencia": {
        "pt": "A chave não é um CNPJ: o registro de empresas nada diz de quem receberia.",
        "en": "The key is not a CNPJ: the registry of companies tells nothing of who would be paid.",
    },
    "sem_evidencia:location": {
        "pt": "A chave está atrás de um endereço (url), que só os bancos leem: o nome no código não pode ser "
        "conferido aqui.",
        "en": "The key is behind an address (url) that only banks read: the name in the code cannot be checked "
        "here.",
    },
    "sem_evidencia:no_key": {
        "pt": "Não há chave no texto: nada se pode dizer de quem receberia.",
        "en": "There is no key in the text: nothing can be said of who would be paid.",
    },
    "sem_evidencia:check_digits": {
        "pt": "A chave parece um CNPJ, mas os dígitos verificadores não conferem: nenhuma empresa tem este número.",
        "en": "The key looks like a CNPJ, but its check digits do not match: no company has this number.",
    },
    "sem_evidencia:unconfirmed": {
        "pt": "As fontes que responderam não têm este CNPJ, mas pode ser novo demais para elas.",
        "en": "The sources that answered do not have this CNPJ, but it may be too new for them.",
    },
}
"""Code of an alert, with its wording behind a colon where it has several → texts by language."""
