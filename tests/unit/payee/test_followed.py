"""What a code's two locations say together, and which of them a payment needs."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from brskills_server.charges.charge import read_charge
from brskills_server.charges.verification import INVALID, UNVERIFIED, VALID, Verification
from brskills_server.participants.participant_list import ParticipantList
from brskills_server.skills.payee import followed as following
from brskills_server.skills.payee.claim import Claim
from brskills_server.skills.payee.followed import Followed, follow_claim
from tests.for_each import for_each
from tests.services.psp import cob, cobv, rec
from tests.unit.brcode.samples import DATA

NOW = datetime(2026, 11, 28, 12, 30, tzinfo=UTC)
COB, COBV, REC = "pix.example/qr/v2/a", "pix.example/qr/v2/cobv/a", "pix.example/qr/v2/rec/b"
KEY = "33000167000101"
DUE = cobv("2099-01-05")
ENDED = rec(atualizacao=[{"status": "CANCELADA", "data": "2026-11-20T10:00:00Z"}])
CASH = {"original": "30.00", "retirada": {"troco": {"valor": "20.00", "modalidadeAlteracao": 1}}}

Outcome = dict[str, Any] | str
"""A payload whose signature is valid, or the code of what is wrong."""


def verification(outcome: Outcome) -> Verification:
    if isinstance(outcome, dict):
        return Verification(VALID, (), None, read_charge(outcome))
    return Verification(INVALID if outcome == "assinatura_errada" else UNVERIFIED, (outcome,))


def follow(
    *outcomes: Outcome, at: tuple[str | None, str | None], key: str = "", now: datetime = NOW, **said: Any
) -> Followed:
    """Return what is followed of a code with a key or with locations; an outcome for each location."""
    claim = Claim(key or None, "cnpj" if key else None, "PETROBRAS", key, locations=at, **said)

    def answer(locations: Sequence[str]) -> list[Verification]:
        assert len(locations) == len(outcomes)
        return [verification(outcome) for outcome in outcomes]

    return follow_claim(claim, answer, now)


def alerts(found: Followed) -> list[str]:
    return [wording for wording, _ in found.alerts if not wording.startswith("psp_desconhecido")]


@for_each(
    ("charge", "recurrence", "state", "shown", "expected"),
    [
        (DUE, rec(), VALID, "vencimento", []),
        (DUE, "http_410", VALID, "vencimento", ["recorrencia_indisponivel"]),
        (DUE, "conteudo_ilegivel", VALID, "vencimento", ["recorrencia_indisponivel"]),
        (DUE, ENDED, VALID, "vencimento", ["recorrencia_indisponivel"]),
        (DUE, "assinatura_errada", INVALID, None, ["assinatura_invalida"]),
        ("http_404", rec(), UNVERIFIED, None, ["localizacao_indisponivel:gone"]),
        (cob(), "http_400", UNVERIFIED, None, ["localizacao_indisponivel:gone"]),
        (cob(), "tempo_esgotado", UNVERIFIED, None, ["localizacao_indisponivel"]),
        (cob(), ENDED, VALID, "imediata", ["cobranca_removida"]),
        (cob(valor=CASH), rec(), VALID, "imediata", ["retirada_com_recorrencia"]),
    ],
)
def test_only_an_immediate_charge_needs_its_recurrence(
    charge: Outcome, recurrence: Outcome, state: str, shown: str | None, expected: list[str]
) -> None:
    found = follow(charge, recurrence, at=(COBV if charge == DUE else COB, REC))
    assert found.verification
    assert (found.verification.state, found.charge and found.charge.kind) == (state, shown)
    assert alerts(found) == expected
    assert found.is_recurring == (shown is not None and "recorrencia_indisponivel" not in expected)


@pytest.mark.parametrize("recurrence", ["http_400", ENDED])
def test_a_static_key_is_payable_without_its_recurrence(recurrence: Outcome) -> None:
    found = follow(recurrence, at=(None, REC), key=KEY)
    assert found.as_answer() == {"cobranca": None, "assinatura": None, "psp": None}
    assert (found.claim.cnpj, alerts(found)) == (KEY, ["recorrencia_indisponivel"])
    forged = follow("assinatura_errada", at=(None, REC), key=KEY)
    assert alerts(forged) == ["assinatura_invalida"]


@for_each(
    ("payload", "at", "is_held"),
    [
        (cob(), (COB, None), True),
        (cob(), ("pix.example/cob/a", None), True),
        (DUE, (COB, None), True),  # a location without a marker promises no kind
        (DUE, ("pix.example/COBV/a?x=/rec/y", None), True),
        (rec(), (None, "pix.example/subs/b"), True),
        (rec(), (COB, None), False),
        (cob(), (COBV, None), False),
        (DUE, ("pix.example/cob/a", None), False),
        (cob(), (REC, None), False),
        (DUE, (None, REC), False),
        (cob(), (None, "pix.example/subs/b"), False),
        (rec(), (None, COBV), False),
    ],
)
def test_a_payload_of_another_kind_than_its_location_says_is_invalid(
    payload: Outcome, at: tuple[str | None, str | None], is_held: bool
) -> None:
    found = follow(payload, at=at)
    assert found.verification
    assert (found.charge is not None) == is_held
    expected = (VALID, ()) if is_held else (INVALID, ("tipo_diferente_da_localizacao",))
    assert found.verification[:2] == expected
    assert alerts(found) == ([] if is_held else ["assinatura_invalida:kind"])


@for_each(
    ("payload", "now", "expected"),
    [
        (cob(status="CONCLUÍDA"), NOW, "cobranca_paga"),
        (cob(status=" concluida "), NOW, "cobranca_paga"),
        (cob(status="Removido_pelo_PSP"), NOW, "cobranca_removida"),
        (rec(calendario={"dataFinal": "2026-11-27"}), NOW, "cobranca_expirada"),
        (rec(calendario={"dataFinal": "2026-11-28"}), NOW, None),
    ],
)
def test_what_has_ended(payload: dict[str, Any], now: datetime, expected: str | None) -> None:
    at = (None, REC) if "idRec" in payload else (COB, None)
    assert alerts(follow(payload, at=at, now=now)) == ([expected] if expected else [])


def test_a_due_charge_expires_after_any_holidays() -> None:
    vectors = json.loads((DATA / "signed_charges.json").read_text("utf-8"))
    (payload,) = (each["input"] for each in vectors if "last_day" in each["expect"])
    for day, expected in ((4, []), (6, ["cobranca_expirada"])):
        assert (
            alerts(follow(payload, at=(COBV, None), now=datetime(2021, 1, day, 12, tzinfo=UTC))) == expected
        )


def test_the_cash_may_change_the_total_that_the_code_says() -> None:
    fixed = {"original": "30.00", "retirada": {"troco": {"valor": "20.00"}}}
    for value, expected in ((CASH, []), (fixed, ["valor_diverge"])):
        assert alerts(follow(cob(valor=value), at=(COB, None), amount="30.00")) == expected


def test_what_a_code_breaks_stays_known_behind_its_location() -> None:
    claim = follow(cob(), at=(COB, None), broken=("crc_form",), repaired=("crc",)).claim
    assert (claim.key, claim.broken, claim.repaired) == (KEY, ("crc_form",), ("crc",))


@pytest.mark.parametrize(("day", "wording"), [("2026-09-29", ""), ("2026-09-28", ":old_list")])
def test_an_old_list_of_participants_is_said(monkeypatch: pytest.MonkeyPatch, day: str, wording: str) -> None:
    monkeypatch.setattr(following, "participant_list", lambda: ParticipantList(day, "", []))
    (alert, parameters), *others = follow(cob(), at=(COB, None)).alerts
    assert (alert, str(parameters["listed"]), others) == (f"psp_desconhecido{wording}", day, [])


@for_each(("key", "expected"), [(KEY, []), ("11222333000181", ["recebedor_diverge"]), ("a@b.com", [])])
def test_a_static_key_is_paid_now_whatever_the_recurrence_beside_it(key: str, expected: list[str]) -> None:
    number = key if key.isdigit() else ""
    claim = Claim(key, "", "LOJA", number, no_evidence="x", locations=(None, REC), amount="100.50")
    found = follow_claim(claim, lambda _: [verification(rec(valor={"valorRec": "35.00"}))], NOW)
    assert (found.claim, alerts(found), found.is_recurring) == (claim, expected, True)
    assert found.charge
    assert found.charge.recurrence
    assert found.charge.recurrence["recebedor"]["cnpj"] == KEY


def test_the_latest_update_of_a_recurrence_is_its_status() -> None:
    updates = [
        {"status": "CANCELADA", "data": "2026-11-20T22:30:00-03:00"},
        {"status": "APROVADA", "data": "2026-11-21T00:10:00Z"},
    ]
    for given in (updates, updates[::-1], [updates[1], updates[0] | {"data": updates[1]["data"]}]):
        assert read_charge(rec(atualizacao=given)).status == "CANCELADA"
