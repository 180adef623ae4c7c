"""The Pix skill between HTTP and the encoder: public names, all faults at once, counted last."""

from __future__ import annotations

from typing import Any

import pytest

from access import Accounts, Ledger, QuotaExceeded, Session
from skills import pix
from skills.pix_models import PixRequest
from web import InvalidFields

CHARGE = {"chave": "pix@exemplo.com.br", "nome_recebedor": "Loja", "cidade": "Recife"}


@pytest.fixture
def session(accounts: Accounts, ledger: Ledger) -> Session:
    return Session(ledger, accounts.identify(accounts.open("free").api_key)[0])


def faults(content: dict[str, Any], session: Session) -> dict[str, str]:
    with pytest.raises(InvalidFields) as refusal:
        pix.create(content, session)
    return {error.field: error.code for error in refusal.value.errors}


def test_a_code_counts_once(session: Session, ledger: Ledger) -> None:
    pix.create(CHARGE, session)
    assert ledger.usage(session.caller)[0].calls == 1


def test_faults_of_shape_and_substance_come_together_and_count_nothing(
    session: Session, ledger: Ledger
) -> None:
    found = faults(
        {"chave": "529.982.247-24", "cidade": 5, "mcc": "12", "tipo_chave": "rg", "cor": "azul"}, session
    )
    assert found == {
        "chave": "invalid_check_digits",
        "cidade": "invalid_type",
        "mcc": "invalid_mcc",
        "tipo_chave": "invalid_value",
        "cor": "unknown_field",
        "nome_recebedor": "required",
    }
    assert ledger.usage(session.caller)[0].calls == 0


def test_a_valid_request_on_a_used_up_month_is_refused(session: Session, ledger: Ledger) -> None:
    for _ in range(100):
        ledger.reserve(session.caller)
    with pytest.raises(QuotaExceeded):
        pix.create(CHARGE, session)


def test_every_public_field_has_a_place_in_the_encoder() -> None:
    assert pix._EMV_NAMES.keys() == PixRequest.model_fields.keys()


@pytest.mark.parametrize("name", sorted(PixRequest.model_fields))
def test_every_field_refuses_what_is_no_value_of_it(session: Session, name: str) -> None:
    assert faults({**CHARGE, name: {"a": 1}}, session)[name] in {"invalid_type", "invalid_value"}
