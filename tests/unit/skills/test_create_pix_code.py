"""The Pix skill between HTTP and the encoder: public names, all issues at once, counted last."""

from typing import Any

import pytest

import brcode
from brcode.encode_texts import ALERT_TEXTS
from brcode.fields import FIELDS
from brcode.rules import WARNINGS
from brskills_server.metering.ledger import Ledger
from brskills_server.metering.session import Session
from brskills_server.skills.errors import InvalidRequest
from brskills_server.skills.perform import perform
from brskills_server.skills.pix.create_pix_code import CREATE_PIX_CODE
from brskills_server.skills.pix.fields import EMV_NAMES, QR_FIELDS
from brskills_server.skills.pix.models import PixAlert, PixRequest
from brskills_server.skills.skill import Call

ALERTS = {"email_sem_ponto", "telefone_fixo", "uso_unico_estatico", "location_unusual", "recurrence_marker"}
CHARGE = {"chave": "pix@exemplo.com.br", "nome_recebedor": "Loja", "cidade": "Recife"}


def create(content: dict[str, Any], session: Session) -> Any:
    return perform(
        CREATE_PIX_CODE, content, Call(session, "pt", find_company=AssertionError), lambda found: found
    )


def issues(content: dict[str, Any], session: Session) -> dict[str, str]:
    with pytest.raises(InvalidRequest) as caught:
        create(content, session)
    return {issue.field: issue.code for issue in caught.value.fields}


def test_the_example_of_the_documents_is_the_answer_to_its_request(session: Session) -> None:
    (endpoint,) = CREATE_PIX_CODE.endpoints
    answer = create(endpoint.examples["estatico"], session)
    assert CREATE_PIX_CODE.content(answer) == CREATE_PIX_CODE.example
    assert brcode.decode(answer["brcode"]).valid


@pytest.mark.parametrize(
    ("key", "alerts"),
    [("pix@exemplo", ["email_sem_ponto"]), ("(11) 3265-4321", ["telefone_fixo"]), ("pix@exemplo.com", [])],
)
def test_a_probable_mistake_is_an_alert_and_counts(
    session: Session, ledger: Ledger, key: str, alerts: list[str]
) -> None:
    answer = create({**CHARGE, "chave": key, "estrito": True}, session)
    assert [(alert["campo"], alert["codigo"]) for alert in answer["alertas"]] == [
        ("chave", code) for code in alerts
    ]
    assert all(alert["detalhe"] for alert in answer["alertas"])
    headers = {header: text(answer) for header, text in CREATE_PIX_CODE.remarks.items()}
    assert headers == {"X-Ajustes": "", "X-Alertas": ", ".join(f"chave;{code}" for code in alerts)}
    assert ledger.usage(session.caller)[0].calls == 1


def test_every_alert_of_the_encoder_is_documented() -> None:
    documented = PixAlert.model_json_schema()["properties"]["codigo"]["enum"]
    assert set(documented) == ALERTS | ALERT_TEXTS.keys()
    assert set(WARNINGS) >= ALERTS


def test_all_issues_are_returned_at_once_and_count_nothing(session: Session, ledger: Ledger) -> None:
    found = issues(
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


def test_every_public_field_is_a_parameter_of_the_encoder() -> None:
    drawn = {field.name for field in QR_FIELDS}
    assert EMV_NAMES.keys() | drawn == PixRequest.model_fields.keys()
    assert set(EMV_NAMES.values()) == FIELDS.keys(), "brcode/fields.py and skills/pix/fields.py"
    given = dict.fromkeys(EMV_NAMES.values(), 1.5)
    with pytest.raises(brcode.InvalidCharge) as caught:
        brcode.encode(**given)
    assert {issue.field for issue in caught.value.issues} == given.keys()


@pytest.mark.parametrize("name", sorted(PixRequest.model_fields))
def test_every_field_rejects_an_object(session: Session, name: str) -> None:
    assert issues({**CHARGE, name: {"a": 1}}, session)[name] in {"invalid_type", "invalid_value"}
