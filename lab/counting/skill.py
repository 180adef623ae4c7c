"""A skill that is counted like the look-up of one or several companies."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from pydantic import BaseModel

from brskills_server.metering.errors import UncountedLimit
from brskills_server.metering.session import Session
from brskills_server.skills.skill import Call, Skill, Texts
from brskills_server.web import request as web
from brskills_server.web.sessions import Sessions
from lab.counting.schedule import Request


def answer(session: Session, request: Request) -> int:
    """Answer a request as a route does; return what the answer costs.

    Raise what ``Sessions.run_skill`` raises.
    """
    services: Any = SimpleNamespace(ledger=None)
    companies: Any = SimpleNamespace(
        find_company=list,
        find_companies=lambda _, session: request.outcomes,
        find_history=dict,
        search=None,
    )
    headers = {"Idempotency-Key": request.key} if request.key else {}
    sent = web.Request({"httpMethod": "POST", "resource": "/", "headers": headers})
    content = {"calls": request.calls, "variant": request.variant, "partial": request.partial}
    Sessions(services, companies).run_skill(_SKILL, session, sent, lambda: content, lambda answered: answered)
    return session.calls


def _answer(content: dict[str, Any], call: Call) -> None:
    """Take back each absence by itself, then the failures."""
    failed, outcomes = 0, call.find_companies(())
    call.session.items = max(1, content["calls"])
    for outcome in outcomes[: call.session.calls]:
        if outcome == "found":
            continue
        try:
            call.session.before_asking()
        except UncountedLimit:
            failed += 1
            continue
        if outcome == "absent":
            call.session.release_absence()
        else:
            failed += 1
    call.session.release(min(failed, call.session.calls))


_SKILL = Skill(
    name="counting",
    scope="",
    texts=Texts(*[""] * 7),
    request=BaseModel,
    result=BaseModel,
    answer=_answer,
    endpoints=(),
    prepare=lambda content: content,
    counts=lambda content: content["calls"],
    partial=lambda content: content["partial"],
)
