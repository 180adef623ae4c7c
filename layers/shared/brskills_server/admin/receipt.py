"""The receipt of a deleted account for its owner (LGPD, art. 18): what was deleted, and what remains."""

from datetime import UTC, datetime

from brskills_server.accounts.account import Account

_TEXT = """\
Comprovante de eliminação (Lei 13.709/2018, art. 18) / Receipt of deletion
conta / account      {id}
em / at              {at}
eliminado / deleted  {deleted}

Permanece, e até quando:
- cópias de segurança da tabela, onde houver: até 35 dias
- quantas chaves um endereço ou e-mail recebeu por dia, sob um pseudônimo cujo segredo é
  apagado até 31 dias após o mês: até 30 dias depois da última
- na nuvem, de uma conta paga, o nome da sua chave de ritmo, que contém o código da conta:
  até 15 minutos{customer_pt}

Left, and until when:
- backups of the table, where there are any: up to 35 days
- how many keys an address or e-mail was given a day, under a pseudonym whose secret is
  deleted at most 31 days after its month: up to 30 days after the last one
- in the cloud, of a paying account, the name of its gateway key, which holds the account's
  id: up to 15 minutes{customer_en}"""

_CUSTOMER_PT = """
- no Stripe, que recebeu os pagamentos, o cliente {customer}: nós pedimos a eliminação lá,
  salvo o que a lei manda guardar"""
_CUSTOMER_EN = """
- at Stripe, which took the payments, the customer {customer}: we ask for its deletion there,
  except what the law requires to be kept"""


def receipt(account: Account, now: float) -> str:
    """Return the receipt of an account, without its e-mail and keys."""
    customer = account.billing.customer
    deleted = [
        f"{len(account.keys)} chave(s) / key(s)",
        f"{len(account.calls)} mes(es) de contagem / month(s) of counts",
        "acessos de programas, se havia / programs' access, if any",
        *(["e-mail"] if account.email else []),
        *(["ligação ao Stripe / link to Stripe"] if customer else []),
    ]
    return _TEXT.format(
        id=account.id,
        at=datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        deleted=", ".join(deleted),
        customer_pt=_CUSTOMER_PT.format(customer=customer) if customer else "",
        customer_en=_CUSTOMER_EN.format(customer=customer) if customer else "",
    )
