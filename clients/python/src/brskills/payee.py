"""The check of a payee: the company of a key, and the charge that a PSP signed."""

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from brskills.company import RegistrationStatus
from brskills.pix import Psp


@dataclass(frozen=True, slots=True)
class Payee:
    """The company whose CNPJ the key is, as registered."""

    cnpj: str
    razao_social: str
    nome_fantasia: str | None
    situacao_cadastral: RegistrationStatus
    data_inicio_atividade: date | None
    municipio: str | None
    uf: str | None


@dataclass(frozen=True, slots=True)
class PayeeAlert:
    """A reason to check the payee before paying; ``codigo`` is stable."""

    codigo: str
    detalhe: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """The source of the company's record and its age."""

    fonte: str
    data_base: date | None
    consultado_em: datetime
    idade_segundos: int
    desatualizado: bool


@dataclass(frozen=True, slots=True)
class ChargeReceiver:
    """Who receives, as the PSP states it."""

    cnpj: str | None
    nome: str | None
    nome_fantasia: str | None


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """Cash that the payer is handed. ``tipo``: ``saque`` or ``troco``."""

    tipo: str
    valor: Decimal
    modificavel: bool


@dataclass(frozen=True, slots=True)
class Recurrence:
    """The terms of a Pix Automático. ``retentativa``: the PSP's word. Older services lack the last four."""

    id: str | None
    periodicidade: str | None
    inicio: date | None
    fim: date | None
    valor: Decimal | None
    valor_minimo: Decimal | None = None
    retentativa: str | None = None
    objeto: str | None = None
    recebedor: ChargeReceiver | None = None


@dataclass(frozen=True, slots=True)
class SignedCharge:
    """A charge. ``tipo``: ``imediata``, ``vencimento`` or ``recorrencia``; ``status``: the PSP's own word.

    ``valor``: all that is paid, ``retirada`` included, which older services do not send.
    """

    tipo: str
    status: str | None
    txid: str | None
    valor: Decimal | None
    modificavel: bool | None
    vencimento: date | None
    expira_em: datetime | None
    recebedor: ChargeReceiver | None
    recorrencia: Recurrence | None
    retirada: Withdrawal | None = None


@dataclass(frozen=True, slots=True)
class Certificate:
    """The signer's certificate. ``nivel``: ``dominio``, ``organizacao`` or ``estendida``."""

    titular: str | None
    organizacao: str | None
    cnpj: str | None
    emissor: str | None
    valido_ate: datetime
    nivel: str


@dataclass(frozen=True, slots=True)
class Signature:
    """What was verified. ``estado``: ``valida``, ``invalida`` or ``nao_verificavel``; ``motivos``: codes."""

    estado: str
    motivos: tuple[str, ...]
    certificado: Certificate | None


@dataclass(frozen=True, slots=True)
class PayeeCheck:
    """``nome``: ``confere``, ``parecido``, ``diverge`` or ``desconhecido``. The key's owner stays unknown.

    ``cobranca``, ``assinatura``, ``psp``: only if a location was followed. Older services do not send them.
    """

    chave: str | None
    tipo_chave: str | None
    nome_recebedor: str | None
    recebedor: Payee | None
    nome: str
    alertas: tuple[PayeeAlert, ...]
    evidencia: Evidence | None
    cobranca: SignedCharge | None = None
    assinatura: Signature | None = None
    psp: Psp | None = None
