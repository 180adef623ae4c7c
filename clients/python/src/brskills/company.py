"""A company's record, with the names of the API; CNPJ and CEP have no mask."""

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Coded:
    """An entry of an official table."""

    codigo: str | None
    descricao: str | None


@dataclass(frozen=True, slots=True)
class Activity:
    """An economic activity; the CNAE has seven digits."""

    codigo: str
    descricao: str | None


@dataclass(frozen=True, slots=True)
class RegistrationStatus:
    """01 nula, 02 ativa, 03 suspensa, 04 inapta, 08 baixada; since ``data``."""

    codigo: str | None
    descricao: str | None
    data: date | None
    motivo: Coded | None


@dataclass(frozen=True, slots=True)
class Address:
    """The address of an establishment."""

    tipo_logradouro: str | None
    logradouro: str | None
    numero: str | None
    complemento: str | None
    bairro: str | None
    cep: str | None
    municipio: str | None
    codigo_ibge: str | None
    codigo_siafi: str | None
    uf: str | None
    pais: str | None
    cidade_exterior: str | None
    pais_codigo: str | None = None


@dataclass(frozen=True, slots=True)
class Phone:
    """The number of a telephone or fax, in digits."""

    ddd: str | None
    numero: str


@dataclass(frozen=True, slots=True)
class TaxOption:
    """Participation in the Simples Nacional or as MEI; ``data_sem_efeito``: joined and left on one day."""

    optante: bool
    data_opcao: date | None
    data_exclusao: date | None
    data_sem_efeito: date | None


@dataclass(frozen=True, slots=True)
class Representative:
    """The legal representative of a partner; ``documento`` is a masked CPF."""

    nome: str | None
    documento: str | None
    qualificacao: Coded | None


@dataclass(frozen=True, slots=True)
class Partner:
    """A partner or administrator; ``tipo`` is PF, PJ or ESTRANGEIRO, a CPF is masked."""

    nome: str
    tipo: str | None
    documento: str | None
    qualificacao: Coded | None
    data_entrada: date | None
    faixa_etaria: str | None
    pais: str | None
    representante_legal: Representative | None
    pais_codigo: str | None = None


@dataclass(frozen=True, slots=True)
class StateRegistration:
    """A registration in a state's register of taxpayers."""

    uf: str | None
    numero: str
    ativa: bool | None


@dataclass(frozen=True, slots=True)
class Company:
    """A company's record and its source; fields that the source lacks are ``None``."""

    cnpj: str
    matriz: bool | None
    razao_social: str
    nome_fantasia: str | None
    situacao_cadastral: RegistrationStatus
    natureza_juridica: Coded | None
    qualificacao_do_responsavel: Coded | None
    porte: Coded | None
    capital_social: Decimal | None
    capital_social_precisao: str | None
    data_inicio_atividade: date | None
    cnae_principal: Activity | None
    cnaes_secundarios: tuple[Activity, ...]
    endereco: Address
    telefones: tuple[Phone, ...]
    fax: Phone | None
    email: str | None
    simples: TaxOption | None
    mei: TaxOption | None
    socios: tuple[Partner, ...]
    situacao_especial: str | None
    data_situacao_especial: date | None
    ente_federativo: str | None
    inscricoes_estaduais: tuple[StateRegistration, ...] | None
    fonte: str
    data_base: date | None
    consultado_em: datetime
    idade_segundos: int
    desatualizado: bool
