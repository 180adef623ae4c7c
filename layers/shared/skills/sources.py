"""The registry as a deployment's settings want it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapters.dynamodb.companies import DynamoCompanies
from registry import Registry, build_registry
from web.settings import VERSION

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient

    from web.settings import Settings

__all__ = ["open_registry"]


def open_registry(settings: Settings, client: DynamoDBClient) -> Registry:
    """A registry over the configured providers and the Companies table."""
    return build_registry(
        providers=settings.registry_providers,
        urls=settings.registry_urls,
        store=DynamoCompanies(client, settings.companies_table),
        fresh_seconds=settings.company_fresh_seconds,
        user_agent=f"brskills/{VERSION} (+{settings.project_url})",
    )
