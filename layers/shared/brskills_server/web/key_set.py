"""GET /.well-known/jwks.json: the public keys of proofs."""

from brskills_server.proofs.keys import CACHE_SECONDS
from brskills_server.runtime.services import Services
from brskills_server.web.request import Request
from brskills_server.web.response import Response, json_response, revalidated
from brskills_server.web.skill_routes import Routes


def key_set_routes(services: Services) -> Routes:
    """Return the route of the keys. It raises ``StoreUnavailable``."""

    def answer(request: Request) -> Response:
        content = {"keys": services.proof_keys.public_keys()}
        response = json_response(200, content, Cache_Control=f"public, max-age={CACHE_SECONDS}")
        return revalidated(response, request.headers.get("if-none-match", ""))

    return {("GET", "/.well-known/jwks.json"): answer}
