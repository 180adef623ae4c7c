"""What a claim's locations say: the signed charge, who signed it, and what differs from the code."""

from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from brcode.key_forms import key_form
from brcode.model import KeyType
from brskills_server.participants.participant_list import describe_psp, participant_list
from brskills_server.registry.tables import fold
from brskills_server.skills.payee.alerts import STALE_DAYS
from brskills_server.skills.payee.claim import Claim, claim_of_key

if TYPE_CHECKING:  # their imports of cryptography take a tenth of a second
    from brskills_server.charges.charge import Charge
    from brskills_server.charges.verification import Verification

Alert = tuple[str, dict[str, Any]]
"""A wording of ``ALERTS`` and what fills it."""

_MARGIN = timedelta(days=6)
"""Of a due date: the payer's holidays, which this service does not know, move the last day and the due date."""

_RECURRENCE = "recorrencia"
_WORDINGS = {
    "tipo_diferente_da_localizacao": ":kind",
    "endereco_nao_permitido": ":not_allowed",
    "http_404": ":gone",
    "http_410": ":gone",
}
"""Wordings of an alert by reason. 404 and 410 may be of a paid, expired or removed charge (2.10.0 §2.7.3)."""


class Followed(NamedTuple):
    """``claim``: as the signed charge has it. ``verification``: the worse of two locations that both count."""

    claim: Claim
    verification: "Verification | None" = None
    charge: "Charge | None" = None
    alerts: tuple[Alert, ...] = ()

    @property
    def is_recurring(self) -> bool:
        """Whether the payer would agree to a recurrence."""
        return self.charge is not None and self.charge.recurrence is not None

    def as_answer(self) -> dict[str, Any]:
        """Return ``cobranca``, ``assinatura`` and ``psp`` of an answer."""
        holder = self.charge and self.verification and self.verification.holder
        return {
            "cobranca": self.charge and self.charge.as_answer(),
            "assinatura": self.verification and self.verification.as_answer(),
            "psp": describe_psp(holder.cnpj[:8]) if holder and holder.cnpj else None,
        }


def follow_claim(
    claim: Claim, follow: Callable[[Sequence[str]], Sequence["Verification"]], now: datetime
) -> Followed:
    """Return what the locations of a claim say; the claim alone where it has none.

    A charge with a due date or a static key can be paid without its recurrence; an immediate charge cannot
    (jornadas 4 and 3, 2.10.0 §3.3.2). A recurrence with an invalid signature is no error of a PSP and is never
    left out.
    """
    locations = [location for location in claim.locations if location]
    if not locations:
        return Followed(claim)
    from brskills_server.charges.verification import VALID, check_kind, worst

    answers = iter(follow(locations))
    charge, recurrence = (
        check_kind(next(answers), location, is_recurrence) if location else None
        for location, is_recurrence in zip(claim.locations, (False, True), strict=True)
    )
    gone = recurrence and _why_gone(recurrence, now)
    is_paid_alone = (charge.charge and charge.charge.due) if charge else claim.key
    alerts: list[Alert] = []
    if gone and is_paid_alone:
        recurrence, alerts = None, [("recorrencia_indisponivel", {"reason": gone})]
    found = [each for each in (charge, recurrence) if each]
    if not found:
        return Followed(claim, alerts=tuple(alerts))
    verification = worst(found)
    if verification.state != VALID:
        no_evidence = claim.no_evidence.replace(":location", ":unverified")
        alert = _unverified(verification, is_recurrence=verification is recurrence)
        return Followed(claim._replace(no_evidence=no_evidence), verification, None, (alert,))
    return _read(claim, verification, [each.charge for each in found if each.charge], alerts, now)


def _why_gone(recurrence: "Verification", now: datetime) -> str:
    """Return why a recurrence cannot be agreed to any more, or could not be read; empty for a good one."""
    from brskills_server.charges.verification import UNVERIFIED

    if recurrence.charge and (ended := _ending(recurrence.charge, now)):
        return ended[0].removeprefix("cobranca_")
    return ", ".join(recurrence.reasons) if recurrence.state == UNVERIFIED else ""


def _unverified(verification: "Verification", *, is_recurrence: bool) -> Alert:
    from brskills_server.charges.verification import INVALID

    code = "assinatura_invalida" if verification.state == INVALID else "localizacao_indisponivel"
    wordings = _WORDINGS | ({"http_400": ":gone"} if is_recurrence else {})
    return code + next((wordings[each] for each in verification.reasons if each in wordings), ""), {}


def _read(
    claim: Claim,
    verification: "Verification",
    charges: Sequence["Charge"],
    alerts: Sequence[Alert],
    now: datetime,
) -> Followed:
    charge = charges[0]._replace(recurrence=charges[-1].recurrence)
    followed = Followed(_signed_claim(claim, charge), verification, charge)
    ended = [alert for each in charges if (alert := _ending(each, now))][:1]
    found = [*ended, *alerts, *_alerts(claim, followed, now)]
    if len({*_receivers(claim, charges)}) > 1:
        found.insert(0, ("recebedor_diverge", {}))
    return followed._replace(alerts=tuple(found))


def _receivers(claim: Claim, charges: Sequence["Charge"]) -> Iterator[str]:
    """Yield the first eight characters of the CNPJs that are keys or receivers: a branch may be paid."""
    if claim.cnpj:
        yield claim.cnpj[:8]
    for charge in charges:
        if charge.receiver and charge.receiver.cnpj:
            yield charge.receiver.cnpj[:8]
        if charge.key and key_form(charge.key) == KeyType.CNPJ:
            yield charge.key[:8]


def _signed_claim(claim: Claim, charge: "Charge") -> Claim:
    """Return the claim that the signed charge makes: its key, and its receiver's number and name.

    A static key is paid now, and its recurrence, perhaps of another company, later.
    """
    if claim.key and charge.kind == _RECURRENCE:
        return claim
    receiver = charge.receiver
    name = (receiver and (receiver.name or receiver.trade_name)) or claim.name
    signed = claim._replace(name=name)
    if charge.key:
        signed = claim_of_key(charge.key, key_form(charge.key), name)
    if receiver and receiver.cnpj:
        signed = signed._replace(cnpj=receiver.cnpj, no_evidence="")
    elif not signed.cnpj:
        signed = signed._replace(no_evidence="sem_evidencia:signed")
    return signed._replace(broken=claim.broken, repaired=claim.repaired, locations=claim.locations)


def _ending(charge: "Charge", now: datetime) -> Alert | None:
    """Return the alert of a charge or recurrence that has ended. PSPs write its status in several ways."""
    status = fold(charge.status or "")
    if status == "concluida":
        return "cobranca_paga", {}
    if status.startswith("removid") or status in {"cancelada", "rejeitada"}:
        return "cobranca_removida", {"status": charge.status}
    if status == "expirada" or _is_past(charge, now):
        return "cobranca_expirada", {}
    return None


def _alerts(claim: Claim, followed: Followed, now: datetime) -> Iterator[Alert]:
    charge = followed.charge
    assert charge is not None  # noqa: S101, only a valid charge has alerts
    withdrawal = charge.withdrawal
    if withdrawal and claim.locations[1]:
        yield "retirada_com_recorrencia", {}
    changeable = charge.changeable or (withdrawal and withdrawal.changeable)
    is_fixed = charge.kind != _RECURRENCE and not changeable  # a recurrence is paid later
    if is_fixed and claim.amount and charge.amount and _differ(claim.amount, charge.amount):
        yield "valor_diverge", {"written": claim.amount, "signed": charge.amount}
    if claim.txid not in {None, "***"} and charge.txid and not charge.txid.startswith(str(claim.txid)):
        yield "txid_diverge", {}
    if followed.as_answer()["psp"] is None:
        listed = date.fromisoformat(participant_list().date)
        old = (now.date() - listed).days > STALE_DAYS
        yield "psp_desconhecido" + (":old_list" if old else ""), {"listed": listed}


def _differ(written: str, signed: str) -> bool:
    try:
        return Decimal(written) != Decimal(signed)
    except ArithmeticError:  # the code's amount may have any form
        return True


def _is_past(charge: "Charge", now: datetime) -> bool:
    margin = _MARGIN if charge.due else timedelta()
    return charge.expires_at is not None and charge.expires_at < now - margin
