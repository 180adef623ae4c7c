"""GET /api/v1/plans, /api/v1/status and /api/v1/health: open to everybody."""

from functools import cache

from brskills_server.runtime.companies import open_companies
from brskills_server.runtime.services import Services
from brskills_server.skills.service import plans as service
from brskills_server.skills.service.status import StatusReader
from brskills_server.web.request import Request
from brskills_server.web.response import Response, json_response
from brskills_server.web.skill_routes import Routes


def status_routes(services: Services) -> Routes:
    """Return the routes of plans and status. The first request for the status opens the store."""
    settings = services.settings
    deployment = service.Deployment(
        settings.demo_monthly_limit,
        settings.features.sold,
        settings.features.render,
        settings.contact_email,
        settings.support_url,
        settings.sla_url,
    )

    @cache
    def reader() -> StatusReader:
        return StatusReader(
            services.store.ping,
            open_companies(services).registry.health,
            services.tally.failing,
            services.history.read,
            committed=bool(settings.sla_url),
        )

    def plans(request: Request) -> Response:
        """Return the plans as data."""
        listed = service.plans(request.language, deployment)
        return json_response(200, listed, Cache_Control="public, max-age=3600", Vary="Accept-Language")

    def status(_request: Request) -> Response:
        """Return the state of each part: 200 whatever it reports."""
        return json_response(200, reader().read(), Cache_Control="public, max-age=15")

    def health(_request: Request) -> Response:
        """Return 200 if a call could be counted now, else 503 ``store_unavailable``, for load balancers."""
        return json_response(200, service.health(services.store.ping), Cache_Control="no-store")

    return {
        ("GET", "/api/v1/plans"): plans,
        ("GET", "/api/v1/status"): status,
        ("GET", "/api/v1/health"): health,
    }
