"""Services outside of AWS: for the gateway and the operator's tools, never for a function."""

import os
from dataclasses import replace
from typing import Any

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from access import StoreUnavailable
from adapters.dynamodb import tables as dynamodb
from adapters.dynamodb.local import set_local_aws_defaults
from adapters.stripe.settings import StripeSettings
from wiring.services import Services
from wiring.settings import Settings, address

__all__ = ["check_settings", "create_tables", "open_local_services", "set_local_aws_defaults"]


def check_settings() -> Settings:
    """The settings of this environment; ``ValueError`` names what is wrong, Stripe's included."""
    settings = _settings()
    StripeSettings.from_environment(os.environ, settings.project_url)
    return settings


def create_tables(tables: dict[str, dict[str, Any]]) -> None:
    """Make every table that is not there yet; ``tables`` are CloudFormation properties by name.

    Raises ``StoreUnavailable``.
    """
    try:
        dynamodb.create_tables(boto3.client("dynamodb"), tables)
    except (BotoCoreError, ClientError) as failure:
        raise StoreUnavailable(str(failure)) from failure


def open_local_services(store_seconds: int) -> Services:
    """Services whose store may take longer than a caller would wait."""
    settings = _settings()
    set_local_aws_defaults()
    return Services(replace(settings, store_seconds=store_seconds))


def _settings() -> Settings:
    if endpoint := os.environ.get("AWS_ENDPOINT_URL_DYNAMODB"):
        address("AWS_ENDPOINT_URL_DYNAMODB", endpoint)  # boto3 itself reads it, and takes nearly anything
    return Settings.from_environment()
