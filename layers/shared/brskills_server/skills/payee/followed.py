"""What a claim's locations say: the signed charge, who signed it, and what differs from the code."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from brcode.key_forms import key_form
from brcode.model import KeyType
from brskills_server.participants.participant_list import describe_psp
from brskills_server.skills.payee.claim import Claim, claim_of_key

if TYPE_CHECKING:  # their imports of cryptography take a tenth of a second
    from brskills_server.charges.charge import Charge
    from brskills_server.charges.verification import Verification

Alert = tuple[str, dict[str, Any]]
"""A wording of ``ALERTS`` and what fills it."""

_MARGIN = timedelta(days=4)
"""Of a due date: the payer's holidays, which this service does not know, move the last day."""

_ENDED = {"CANCELADA", "REJEITADA"}


class Followed(NamedTuple):
    """``claim``: as the signed charge has it. ``verification``: the worse of two locations."""

    claim: Claim
    verification: "Verification | None" = None
    charge: "Charge | None" = None
    alerts: tuple[Alert, ...] = ()

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
    """Return what the locations of a claim say; the claim alone where it has none."""
    locations = [location for location in claim.locations if location]
    if not locations:
        return Followed(claim)
    from brskills_server.charges.verification import INVALID, VALID, worst

    verifications = follow(locations)
    verification = worst(verifications)
    if verification.state != VALID:
        code = "assinatura_invalida" if verification.state == INVALID else "localizacao_indisponivel"
        if "endereco_nao_permitido" in verification.reasons:
            code += ":not_allowed"
        no_evidence = claim.no_evidence.replace(":location", ":unverified")
        return Followed(claim._replace(no_evidence=no_evidence), verification, None, ((code, {}),))
    charges = sorted((each.charge for each in verifications if each.charge), key=_is_recurrence)
    charge = charges[0]._replace(recurrence=charges[-1].recurrence)
    followed = Followed(_signed_claim(claim, charge), verification, charge)
    alerts = [*_alerts(claim, followed, now)]
    if len({*_receivers(claim, charges)}) > 1:
        alerts.insert(0, ("recebedor_diverge", {}))
    return followed._replace(alerts=tuple(alerts))


def _is_recurrence(charge: "Charge") -> bool:
    return charge.kind == "recorrencia"


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
    """Return the claim that the signed charge makes: its key, and its receiver's number and name."""
    receiver = charge.receiver
    name = (receiver and (receiver.name or receiver.trade_name)) or claim.name
    signed = claim._replace(name=name)
    if charge.key:
        signed = claim_of_key(charge.key, key_form(charge.key), name)
    if receiver and receiver.cnpj:
        signed = signed._replace(cnpj=receiver.cnpj, no_evidence="")
    elif not signed.cnpj:
        signed = signed._replace(no_evidence="sem_evidencia:signed")
    return signed._replace(broken=claim.broken, locations=claim.locations)


def _alerts(claim: Claim, followed: Followed, now: datetime) -> Iterator[Alert]:
    charge = followed.charge
    assert charge is not None  # noqa: S101, only a valid charge has alerts
    status = charge.status or ""
    if status == "CONCLUIDA":
        yield "cobranca_paga", {}
    elif status.startswith("REMOVID") or status in _ENDED:
        yield "cobranca_removida", {"status": status}
    elif status == "EXPIRADA" or _is_past(charge, now):
        yield "cobranca_expirada", {}
    if claim.amount and charge.amount and not charge.changeable and _differ(claim.amount, charge.amount):
        yield "valor_diverge", {"written": claim.amount, "signed": charge.amount}
    if claim.txid not in {None, "***"} and charge.txid and not charge.txid.startswith(str(claim.txid)):
        yield "txid_diverge", {}
    if followed.as_answer()["psp"] is None:
        yield "psp_desconhecido", {}


def _differ(written: str, signed: str) -> bool:
    try:
        return Decimal(written) != Decimal(signed)
    except ArithmeticError:  # the code's amount may have any form
        return True


def _is_past(charge: "Charge", now: datetime) -> bool:
    margin = _MARGIN if charge.due else timedelta()
    return charge.expires_at is not None and charge.expires_at < now - margin
