"""Each function's role grants what the function asks of AWS, and nothing that it never asks."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from typing import Any

import pytest

from tests.services.driven import Asked, Driven
from tests.services.expanded import resources, rights

SERVICES = ("dynamodb:", "apigateway:")


class Grant:
    """One statement of a function's role: its actions on its resources, below its leading keys."""

    def __init__(self, function: str, statement: dict[str, Any]) -> None:
        self.function = function
        self.actions = statement["Action"]
        self.resources = [_resource(one) for one in _as_list(statement["Resource"])]
        condition = statement.get("Condition", {})
        assert condition.keys() <= {"ForAllValues:StringLike"}
        self.keys = condition.get("ForAllValues:StringLike", {}).get("dynamodb:LeadingKeys", ["*"])

    def covers(self, asked: Asked) -> bool:
        """Whether IAM would let it pass by this statement."""
        return (
            asked.function == self.function
            and asked.action in self.actions
            and any(_fits(asked, resource) for resource in self.resources)
            and (not asked.resource or any(fnmatchcase(asked.at, key) for key in self.keys))
        )

    def unused(self, asked: set[Asked]) -> set[str]:
        """Actions, resources and leading keys by which nothing passed."""
        passed = [one for one in asked if self.covers(one)]
        return (
            {action for action in self.actions if not any(one.action == action for one in passed)}
            | {place for place in self.resources if not any(_fits(one, place) for one in passed)}
            | {key for key in self.keys if not any(_has_key(one, key) for one in passed)}
        )


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _resource(arn: dict[str, Any]) -> str:
    """A table's name in the template, or the path of a gateway's resource."""
    if "Fn::Sub" not in arn:
        return ".".join(_as_list(arn["Fn::GetAtt"])).removesuffix(".Arn")
    return "/" + str(arn["Fn::Sub"].partition("::/")[2])


def _fits(asked: Asked, resource: str) -> bool:
    return asked.resource == resource if asked.resource else fnmatchcase(asked.at, resource)


def _has_key(asked: Asked, key: str) -> bool:
    return not asked.resource or fnmatchcase(asked.at, key)


@pytest.fixture(scope="module")
def asked(driven: Driven) -> set[Asked]:
    return driven.asked


@pytest.fixture(scope="module")
def grants() -> list[Grant]:
    """Those of a deployment with custom skills, as it is driven, and without a register's snapshot."""
    return [
        Grant(_folder(right.role), right.statement)
        for right in rights(resources())
        if right.role != "DeployRole"
        and right.condition in {"", "HasCustomSkills"}
        and right.statement["Action"][0].startswith(SERVICES)
    ]


def _folder(role: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", role.removesuffix("Role")).lower()


def test_whatever_a_function_asks_is_granted(asked: set[Asked], grants: list[Grant]) -> None:
    assert {one.function for one in asked} == {
        *("authorizer", "pix", "cnpj", "payee", "mcp", "custom", "account", "site"),
        *("probe", "billing", "gateway_keys", "oauth", "announce", "deliver"),
    }
    refused = [one for one in asked if not any(grant.covers(one) for grant in grants)]
    assert refused == []


def test_whatever_is_granted_is_asked(asked: set[Asked], grants: list[Grant]) -> None:
    unused = {(grant.function, part) for grant in grants for part in grant.unused(asked)}
    assert unused == set()


def test_only_who_must_list_accounts_may_reach_more_than_its_own_items(grants: list[Grant]) -> None:
    wide = [(grant.function, grant.actions) for grant in grants if grant.keys == ["*"]]
    assert [found for found in wide if found[1][0].startswith("dynamodb:")] == [
        ("gateway_keys", ["dynamodb:Scan"])
    ]
