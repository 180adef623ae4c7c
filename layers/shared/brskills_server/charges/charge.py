"""A charge or a recurrence, read from a payload whose signature is valid.

Source: BCB Manual de Padrões para Iniciação do Pix 2.10.0 §2.7.1 (cob, cobv), §2.8.4.2 (rec), Anexo V §2.2;
API Pix 2.10.0: CobPayload, CobVPayload, RecPayload. Nothing of the debtor (``devedor``) is read.
"""

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any, NamedTuple

from brcode.location import location_kind
from brskills_server.charges.certificate import printable
from brskills_server.charges.signed_payload import Unreadable
from taxid import cnpj

_DEFAULT_SECONDS, _DEFAULT_DAYS = 86_400, 30  # expiracao and validadeAposVencimento where they are missing
_MOST_SECONDS, _MOST_DAYS = 10**9, 36_500
_MOST_LETTERS = 200
_NEVER = datetime.min.replace(tzinfo=UTC)
_KINDS = {"cob": "imediata", "cobv": "vencimento", "rec": "recorrencia"}
"""The kind of a location's payload, by the segment before its token (2.10.0 §2.5.2)."""

_MONEY = re.compile(r"(\d{1,10})(?:[.,](\d{1,2}))?", re.ASCII)


class Receiver(NamedTuple):
    """Who receives, as the PSP states it."""

    cnpj: str | None
    name: str | None
    trade_name: str | None

    def as_answer(self) -> dict[str, str | None]:
        """Return the receiver with its public names."""
        return {"cnpj": self.cnpj, "nome": self.name, "nome_fantasia": self.trade_name}


class Withdrawal(NamedTuple):
    """Cash that the payer is handed: ``kind`` is saque or troco, ``amount`` in reais with two decimals."""

    kind: str
    amount: str
    changeable: bool


class Charge(NamedTuple):
    """A charge. ``kind``: imediata, vencimento or recorrencia; ``status``: the PSP's own word.

    ``amount``: all that is paid, ``withdrawal`` included, in reais with two decimals; ``changeable``: whether
    the payer may change the rest of it. ``expires_at``: the moment after which it is not paid; of a charge
    with a due date the end of its last day in São Paulo, without the payer's holidays; of a recurrence that
    of its last day.
    """

    kind: str
    status: str | None
    txid: str | None
    amount: str | None
    changeable: bool | None
    due: str | None
    expires_at: datetime | None
    key: str | None
    receiver: Receiver | None
    recurrence: dict[str, Any] | None
    withdrawal: Withdrawal | None = None

    def as_answer(self) -> dict[str, Any]:
        """Return the charge with its public names."""
        receiver, withdrawal = self.receiver, self.withdrawal
        return {
            "tipo": self.kind,
            "status": self.status,
            "txid": self.txid,
            "valor": self.amount,
            "modificavel": self.changeable,
            "retirada": withdrawal
            and {"tipo": withdrawal.kind, "valor": withdrawal.amount, "modificavel": withdrawal.changeable},
            "vencimento": self.due,
            "expira_em": self.expires_at.isoformat().replace("+00:00", "Z") if self.expires_at else None,
            "recebedor": receiver and receiver.as_answer(),
            "recorrencia": self.recurrence,
        }


def read_charge(payload: Mapping[str, Any]) -> Charge:
    """Return the charge or recurrence of a payload. Raise ``Unreadable`` for anything else.

    Also unreadable is a charge that leaves open what is paid: a due one without ``final``, one with both
    kinds of withdrawal, or a fixed total of zero, which nobody may confirm (2.10.0 §2.7.1.1). Numbers may be
    texts, and a decimal comma is read as a point: PSPs send both.
    """
    calendar, value = _part(payload, "calendario"), _part(payload, "valor")
    if _text(payload.get("idRec")):
        return _recurrence(payload, calendar, value)
    due = _day(calendar.get("dataDeVencimento"))
    withdrawal = None if due else _withdrawal(value)
    changeable = None if due else _is_changeable(value)
    amount = _money(value.get("final" if due else "original"))
    if amount and withdrawal:
        amount = str(Decimal(amount) + Decimal(withdrawal.amount))
    has_no_day = not due and calendar.get("dataDeVencimento") is not None
    may_be_zero = due or changeable or (withdrawal and withdrawal.changeable)
    is_open = amount is None or (amount == "0.00" and not may_be_zero)
    if not _text(payload.get("status")) or has_no_day or is_open:
        raise Unreadable("conteudo_ilegivel")
    return Charge(
        "vencimento" if due else "imediata",
        _text(payload.get("status")),
        _text(payload.get("txid")),
        amount,
        changeable,
        due.isoformat() if due else None,
        _last_moment(calendar, due),
        _text(payload.get("chave")),
        _receiver(payload),
        None,
        withdrawal,
    )


def is_as_promised(charge: Charge, location: str, is_recurrence: bool) -> bool:
    """Return whether a charge is of the kind that its location says; without a marker, either kind of charge.

    ``is_recurrence``: whether a code has the location as that of a recurrence.
    """
    promised = _KINDS.get(location_kind(location) or "", charge.kind)
    return charge.kind == promised and (charge.kind == "recorrencia") == is_recurrence


def _withdrawal(value: Mapping[str, Any]) -> Withdrawal | None:
    """Return the withdrawal of a charge. Raise ``Unreadable`` for two, or for one without an amount."""
    part = value.get("retirada")
    given = [each for each in part.items() if each[1] is not None] if isinstance(part, dict) else part
    match given:
        case [("saque" | "troco" as kind, {"valor": text, **chosen})] if amount := _money(text):
            return Withdrawal(kind, amount, _is_changeable(chosen))
        case None | []:
            return None
    raise Unreadable("conteudo_ilegivel")


def _is_changeable(value: Mapping[Any, Any]) -> bool:
    return str(value.get("modalidadeAlteracao", 0)) == "1"


def _recurrence(payload: Mapping[str, Any], calendar: Mapping[str, Any], value: Mapping[str, Any]) -> Charge:
    receiver = _receiver(payload)
    first, last = _day(calendar.get("dataInicial")), _day(calendar.get("dataFinal"))
    amount = _money(value.get("valorRec"))
    updates = payload.get("atualizacao")
    states = [each for each in updates if isinstance(each, dict)] if isinstance(updates, list) else []
    # of updates at one moment the last one is the latest
    latest = max(
        enumerate(states), key=lambda each: (_moment(each[1].get("data")) or _NEVER, each[0]), default=(0, {})
    )[1]
    described = {
        "id": _text(payload.get("idRec")),
        "periodicidade": _text(calendar.get("periodicidade") or calendar.get("peridiocidade")),
        "inicio": first.isoformat() if first else None,
        "fim": last.isoformat() if last else None,
        "valor": amount,
        "valor_minimo": _money(value.get("valorMinimoRecebedor")),
        "retentativa": _text(payload.get("politicaRetentativa")),
        "objeto": _text(_part(payload, "vinculo").get("objeto")),
        "recebedor": receiver and receiver.as_answer(),
    }
    status = _text(latest.get("status"))
    ends = _end_of(last) if last else None
    return Charge("recorrencia", status, None, amount, None, None, ends, None, receiver, described)


def _receiver(payload: Mapping[str, Any]) -> Receiver | None:
    part = _part(payload, "recebedor")
    number = cnpj.compact(_text(part.get("cnpj")) or "")
    found = Receiver(
        number if number and cnpj.is_valid(number) else None,
        _text(part.get("nome")),
        _text(part.get("nomeFantasia")),
    )
    return found if any(found) else None


def _last_moment(calendar: Mapping[str, Any], due: date | None) -> datetime | None:
    """Return when a charge ends; ``None`` where the payload does not say."""
    try:
        if due is None:
            created = _moment(calendar.get("criacao"))
            seconds = _number(calendar.get("expiracao"), _DEFAULT_SECONDS, _MOST_SECONDS)
            return created + timedelta(seconds=seconds) if created else None
        days = _number(calendar.get("validadeAposVencimento"), _DEFAULT_DAYS, _MOST_DAYS)
        return _end_of(_working_day(_working_day(due) + timedelta(days=days)))
    except OverflowError:  # after the year 9999
        return None


def _end_of(day: date) -> datetime | None:
    """Return the end of a day in São Paulo: 03:00 UTC, for it has had no summer time since 2019."""
    return (
        datetime(day.year, day.month, day.day, 3, tzinfo=UTC) + timedelta(days=1) if day < date.max else None
    )


def _working_day(day: date) -> date:
    return day + timedelta(days=max(0, 7 - day.weekday())) if day.weekday() > 4 else day


def _part(payload: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = payload.get(name)
    return found if isinstance(found, dict) else {}


def _text(value: Any) -> str | None:
    return printable(value.strip()[:_MOST_LETTERS]) or None if isinstance(value, str) else None


def _money(value: Any) -> str | None:
    match = _MONEY.fullmatch(str(value)) if isinstance(value, (str, int, float)) else None
    return f"{int(match[1])}.{(match[2] or '').ljust(2, '0')}" if match else None


def _number(value: Any, default: int, most: int) -> int:
    text = str(default if value is None else value)
    return min(int(text), most) if text.isascii() and text.isdigit() and len(text) < 12 else default


def _day(value: Any) -> date | None:
    try:
        return date.fromisoformat(str(value)[:10]) if isinstance(value, str) else None
    except ValueError:
        return None


def _moment(value: Any) -> datetime | None:
    try:
        found = datetime.fromisoformat(value) if isinstance(value, str) else None
        return found.astimezone(UTC) if found and found.tzinfo else None
    except (ValueError, OverflowError):
        return None
