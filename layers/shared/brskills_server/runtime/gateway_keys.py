"""The dedicated gateway keys of paying accounts, at AWS API Gateway."""

import os

from brskills_server.accounts.dedicated_gateway_keys import DedicatedGatewayKeys
from brskills_server.adapters.apigateway import open_gateway_keys
from brskills_server.runtime.services import Services


def open_dedicated_gateway_keys(services: Services) -> DedicatedGatewayKeys:
    """Return the dedicated gateway keys of a deployment."""
    return DedicatedGatewayKeys(open_gateway_keys(os.environ), services.store)
