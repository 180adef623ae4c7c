"""GET /api/v1/plans, /api/v1/status and /api/v1/health: open to everybody."""

from brskills_server.runtime.companies import open_companies
from brskills_server.runtime.services import open_services
from brskills_server.skills.service import plans as service
from brskills_server.skills.service.status import StatusReader
from brskills_server.web.application import Application
from brskills_server.web.request import Request
from brskills_server.web.response import Response, json_response

services = open_services()
store, registry = services.store, open_companies(services).registry  # opened at start, not in the first call
settings = services.settings
reader = StatusReader(
    store.ping,
    registry.health,
    services.tally.failing,
    services.history.read,
    committed=bool(settings.sla_url),
)
deployment = service.Deployment(
    settings.demo_monthly_limit,
    settings.features.sold,
    settings.features.render,
    settings.contact_email,
    settings.support_url,
    settings.sla_url,
)


def plans(request: Request) -> Response:
    """Return the plans as data."""
    listed = service.plans(request.language, deployment)
    return json_response(200, listed, Cache_Control="public, max-age=3600", Vary="Accept-Language")


def status(_request: Request) -> Response:
    """Return the state of each part: 200 whatever it reports."""
    return json_response(200, reader.read(), Cache_Control="public, max-age=15")


def health(_request: Request) -> Response:
    """Return 200 if a call could be counted now, else 503 ``store_unavailable``, for load balancers."""
    return json_response(200, service.health(store.ping), Cache_Control="no-store")


handler = Application(
    "status",
    {("GET", "/api/v1/plans"): plans, ("GET", "/api/v1/status"): status, ("GET", "/api/v1/health"): health},
    support_contact=settings.support_contact,
)
