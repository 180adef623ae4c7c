"""Alerts of the payee check: what the registry shows of a company, and their texts.

The texts state what the register has on a number, never that a key is registered, which only banks can know.
They accuse no payee: most alerts have honest causes.
"""

from collections.abc import Iterator
from datetime import date

from brskills_server.skills.payee.names import NameMatch

RECENT_DAYS, RECENT_MONTHS = 90, 6
"""A company opened fewer days ago is recent; for a recurrence, one opened fewer months ago."""

STALE_DAYS = 60
"""Data of more days ago is old: the register is published monthly."""

_ACTIVE = "02"
ALERTS = {
    "codigo_invalido": {
        "pt": "O código quebra regras da norma: {rules}. POST /api/v1/skills/pix/decode explica cada uma.",
        "en": "The code breaks rules of the standard: {rules}. POST /api/v1/skills/pix/decode explains each one.",
    },
    "codigo_invalido:hosts_differ": {
        "pt": "O código quebra regras da norma: {rules}. Nele, a cobrança e a recorrência (Pix Automático) estão em servidores diferentes, e devem estar no mesmo: a recorrência pode ser de outra empresa. Nada foi consultado. Não pague; peça outro código a quem cobra, por outro canal.",
        "en": "The code breaks rules of the standard: {rules}. Its charge and its recurrence (Pix Automático) are on different hosts and must be on the same: the subscription may be another company's. Nothing was requested. Do not pay; ask the payee for another code through another channel.",
    },
    "codigo_reparado": {
        "pt": "O texto veio danificado ({reasons}); foi conferido o código recuperado. POST /api/v1/skills/pix/decode o devolve em sugestao.",
        "en": "The text was damaged ({reasons}); the recovered code was checked. POST /api/v1/skills/pix/decode returns it in sugestao.",
    },
    "codigo_invalido:several_codes": {
        "pt": "Há mais de um código Pix no texto, e cada um pode pagar a outra pessoa. Envie um só.",
        "en": "There is more than one Pix code in the text, and each may pay a different person. Send only one.",
    },
    "codigo_invalido:code_altered": {
        "pt": "O código no texto foi alterado ou cortado: o CRC dele não confere, nem com algum conserto. Não pague; peça outro a quem cobra.",
        "en": "The code in the text was altered or cut off: its CRC does not match, with any repair. Do not pay; ask the payee for another one.",
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
        "pt": "No cadastro, a situação cadastral da empresa é {status}, não ativa. Pela Resolução BCB 457, desde 1º/7/2025 um CNPJ suspenso, inapto, baixado ou nulo não pode ter chave Pix.",
        "en": "In the registry, the company's status is {status}, not active. By Resolução BCB 457, since July 1, 2025 a suspended, unfit, closed or void CNPJ may hold no Pix key.",
    },
    "empresa_recente": {
        "pt": f"A empresa foi aberta há menos de {RECENT_DAYS} dias, em {{opened}}.",
        "en": f"The company was opened less than {RECENT_DAYS} days ago, on {{opened}}.",
    },
    "empresa_recente:recurrence": {
        "pt": f"A empresa foi aberta há menos de {RECENT_MONTHS} meses, em {{opened}}: antes de autorizar uma recorrência, confirme quem ela é.",
        "en": f"The company was opened less than {RECENT_MONTHS} months ago, on {{opened}}: before you authorize a recurrence, confirm who it is.",
    },
    "nome_diverge": {
        "pt": "O nome informado não tem nada em comum com a razão social e o nome fantasia do cadastro deste CNPJ. Há razões legítimas, como uma loja que recebe por uma empresa de pagamentos: confirme com quem cobra, por outro canal.",
        "en": "The name given has nothing in common with the legal and trade names in the registry for this CNPJ. There are legitimate reasons, such as a shop paid through a payment company: confirm with the payee through another channel.",
    },
    "nome_diverge:psp": {
        "pt": "O nome que o PSP informa na recorrência não é a razão social nem o nome fantasia do cadastro deste CNPJ. É o PSP que o preenche, e ele deveria ser um deles: antes de autorizar, confirme com quem cobra, por outro canal.",
        "en": "The name that the PSP states in the recurrence is neither the legal nor the trade name in the registry for this CNPJ. The PSP fills it in, so it should be one of them: before you authorize it, confirm with the payee through another channel.",
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
        "pt": "A chave está em uma localização (url). Com seguir: true, o serviço lê o que o PSP assinou nela.",
        "en": "The key is behind a location (url). With seguir: true, the service reads what the PSP signed there.",
    },
    "sem_evidencia:unverified": {
        "pt": "A chave está em uma localização (url), e nada nela foi verificado: não é possível saber quem receberia.",
        "en": "The key is behind a location (url) where nothing was verified: the payee cannot be determined.",
    },
    "sem_evidencia:no_key": {
        "pt": "O texto não tem uma chave: não é possível saber quem receberia.",
        "en": "The text has no key: the payee cannot be determined.",
    },
    "sem_evidencia:check_digits": {
        "pt": "A chave parece um CNPJ, mas os dígitos verificadores não conferem: nenhuma empresa tem este número.",
        "en": "The key looks like a CNPJ, but its check digits do not match: no company has this number.",
    },
    "sem_evidencia:no_cpf": {
        "pt": "A chave tem 11 dígitos, mas não é um CPF: os dígitos verificadores não conferem. Se é um celular, a chave começa por +55. Confira-a com quem recebe.",
        "en": "The key has 11 digits but is no CPF: the check digits do not match. If it is a mobile number, the key starts with +55. Check it with its owner.",
    },
    "sem_evidencia:recurrence": {
        "pt": "O código também pede a autorização de um Pix Automático (recorrência), que pode ser de outra empresa e não foi lido. Com seguir: true, o serviço lê o que o PSP assinou nele.",
        "en": "The code also asks for the authorization of a Pix Automático (recurrence), which may be another company's and was not read. With seguir: true, the service reads what the PSP signed there.",
    },
    "sem_evidencia:unconfirmed": {
        "pt": "As fontes que responderam não têm este CNPJ, mas ele pode ser recente demais para elas.",
        "en": "The sources that answered do not have this CNPJ, but it may be too recent for them.",
    },
    "sem_evidencia:counted": {
        "pt": "As fontes que responderam não têm este CNPJ, mas ele pode ser recente demais para elas. As respostas deste tipo que o mês tem grátis acabaram (veja /api/v1/plans): esta foi contada.",
        "en": "The sources that answered do not have this CNPJ, but it may be too recent for them. The month's free answers of this kind are used up (see /api/v1/plans): this one was counted.",
    },
    "sem_evidencia:signed": {
        "pt": "O PSP não informa um CNPJ do recebedor: o cadastro de empresas não tem informação sobre ele.",
        "en": "The PSP states no CNPJ of the payee: the company registry has no information about it.",
    },
    "fontes_indisponiveis": {
        "pt": "O cadastro está indisponível: o recebedor não foi comparado com ele.",
        "en": "The registry is unavailable: the payee was not compared with it.",
    },
    "assinatura_invalida": {
        "pt": "O que a localização responde não tem uma assinatura válida do PSP: nada dele foi considerado. Não pague sem confirmar por outro canal. Veja assinatura.motivos.",
        "en": "What the location answers has no valid signature of the PSP: nothing of it was considered. Do not pay without confirming through another channel. See assinatura.motivos.",
    },
    "localizacao_indisponivel": {
        "pt": "A cobrança não pôde ser lida ou verificada na localização. Tente de novo mais tarde; veja assinatura.motivos.",
        "en": "The charge could not be read or verified at the location. Try again later; see assinatura.motivos.",
    },
    "assinatura_invalida:kind": {
        "pt": "A localização responde uma cobrança de outro tipo do que o código diz: nada dela foi considerado. Não pague; peça outro código a quem cobra.",
        "en": "The location answers a charge of another kind than the code says: nothing of it was considered. Do not pay; ask the payee for another code.",
    },
    "localizacao_indisponivel:gone": {
        "pt": "A localização não mostra cobrança agora: ela pode ter sido paga, ter expirado, ter sido removida ou ainda não existir. Peça um novo código a quem cobra.",
        "en": "The location shows no charge now: it may be paid, expired, removed or not yet there. Ask the payee for a new code.",
    },
    "recorrencia_indisponivel": {
        "pt": "A recorrência (Pix Automático) do código não pôde ser lida ou já terminou ({reason}). O pagamento desta vez não depende dela; para autorizar uma recorrência, peça outro código.",
        "en": "The code's recurrence (Pix Automático) could not be read or has ended ({reason}). This payment does not depend on it; to authorize a recurrence, ask for another code.",
    },
    "retirada_com_recorrencia": {
        "pt": "A cobrança entrega dinheiro em espécie (Saque ou Troco) e o código também pede uma recorrência, o que a norma não permite. Confirme com quem cobra.",
        "en": "The charge hands out cash (Saque or Troco) and the code also asks for a recurrence, which the standard does not allow. Confirm with the payee.",
    },
    "localizacao_indisponivel:not_allowed": {
        "pt": "A localização não é um endereço público na internet, com https na porta 443: ela não foi consultada.",
        "en": "The location is not a public internet address with https on port 443: it was not requested.",
    },
    "psp_desconhecido": {
        "pt": "A assinatura é válida, mas o certificado não tem o CNPJ de um participante do Pix. Veja em assinatura.certificado quem assinou.",
        "en": "The signature is valid, but the certificate has no CNPJ of a Pix participant. See in assinatura.certificado who signed.",
    },
    "psp_desconhecido:old_list": {
        "pt": f"A assinatura é válida, mas o certificado não tem o CNPJ de um participante do Pix que este serviço conheça. A lista dele é de {{listed}}, há mais de {STALE_DAYS} dias: o PSP pode ter entrado depois. Veja em assinatura.certificado quem assinou.",
        "en": f"The signature is valid, but the certificate has no CNPJ of a Pix participant that this service knows. Its list is from {{listed}}, more than {STALE_DAYS} days ago: the PSP may have joined later. See in assinatura.certificado who signed.",
    },
    "recebedor_diverge": {
        "pt": "A chave, a cobrança e a recorrência não são da mesma empresa: veja em cobranca quem recebe, e confirme com quem cobra, por outro canal.",
        "en": "Key, charge and recurrence are not of the same company: see in cobranca who receives, and confirm with the payee through another channel.",
    },
    "cobranca_paga": {
        "pt": "O PSP informa que a cobrança já foi paga (CONCLUIDA).",
        "en": "The PSP states that the charge was already paid (CONCLUIDA).",
    },
    "cobranca_removida": {
        "pt": "O PSP informa que a cobrança foi removida ou cancelada ({status}).",
        "en": "The PSP states that the charge was removed or cancelled ({status}).",
    },
    "cobranca_expirada": {
        "pt": "A cobrança ou recorrência expirou. Peça outro código a quem cobra.",
        "en": "The charge or recurrence has expired. Ask the payee for another code.",
    },
    "valor_diverge": {
        "pt": "O código diz {written}, e a cobrança assinada, {signed}: prevalece a assinada.",
        "en": "The code says {written}, and the signed charge {signed}: the signed one applies.",
    },
    "txid_diverge": {
        "pt": "O txid do código não é o da cobrança assinada.",
        "en": "The code's txid is not that of the signed charge.",
    },
}
"""Texts by language, by alert code; ``:wording`` follows a code that has several texts."""


def alerts_of_company(
    status: str | None,
    opened: date | None,
    data_day: date | None,
    name: NameMatch | None,
    today: date,
    recurring: bool,
    named_by_psp: bool,
) -> Iterator[str]:
    """Yield the wordings of alerts, the most serious first.

    ``status``: the code of the situação cadastral. ``data_day``: the day of the data. ``name``: ``None``
    where no name was given. Unknown values cause no alert. For a recurrence (``recurring``) a company is
    recent for longer, and a name that the PSP filled in (2.10.0 Anexo IV §2.1.2) must agree.
    """
    if status is not None and status != _ACTIVE:
        yield "empresa_inativa"
    if recurring and named_by_psp and name not in (None, "confere"):
        yield "nome_diverge:psp"
    elif name == "diverge":
        yield "nome_diverge"
    elif name == "desconhecido":
        yield "nome_nao_comparado"
    if opened is not None and recurring and _months(opened, today) < RECENT_MONTHS:
        yield "empresa_recente:recurrence"
    elif opened is not None and (today - opened).days < RECENT_DAYS:
        yield "empresa_recente"
    if data_day is not None and (today - data_day).days > STALE_DAYS:
        yield "dado_antigo"


def _months(start: date, end: date) -> int:
    """Return the whole months between two days; a month ends on the same day or the next (CC art. 132 §3)."""
    return (end.year - start.year) * 12 + end.month - start.month - (end.day < start.day)
