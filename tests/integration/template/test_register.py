"""The register snapshot on AWS: off by default, with roles that grant exactly the calls made."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import boto3
import pytest
from moto import mock_aws

from brskills_server.adapters.snapshots.dynamodb import DynamoMonths
from brskills_server.adapters.snapshots.dynamodb_history import DynamoHistory
from brskills_server.adapters.snapshots.stored import StoredSnapshot
from brskills_server.snapshot_builder.destinations.bucket import Bucket
from brskills_server.snapshot_builder.destinations.dynamodb import DynamoDestination
from brskills_server.snapshot_builder.destinations.table_fillers import ImportFiller
from tests.integration.adapters.copies.months import CNPJ, ROOT, write_file
from tests.services import expanded
from tests.services.expanded import of_type, rights, statements, template
from tests.services.tables import new_table

BUCKET = "${RegisterBucket.Arn}"
NOVEMBER = 1_794_800_000  # the 16th of 2026
STACKS = ("${AWS::StackName}", "${Service}")
"""The stack of the service, as template.yaml and register.yaml name it."""


@pytest.fixture(scope="module")
def resources() -> dict[str, Any]:
    return expanded.resources() | expanded.read("register.yaml")["Resources"]


class Asked(NamedTuple):
    """An action on a table or bucket, and the first part of a key in it."""

    action: str
    resource: str
    key: str = ""


class Recorded:
    """Clients for moto that record their calls."""

    def __init__(self) -> None:
        self.asked: set[Asked] = set()
        self.client = self._client("dynamodb")
        self.s3 = self._client("s3")
        self.s3.create_bucket(Bucket="kept")
        self.companies = new_table(self.client, "Companies")
        self.asked.clear()

    def _client(self, service: str) -> Any:
        client: Any = boto3.client(service, region_name="us-east-1")
        client.meta.events.register(f"provide-client-params.{service}", self._note)
        return client

    def _note(self, params: dict[str, Any], model: Any, **_: Any) -> None:
        action = f"{model.service_model.service_name}:{model.name}"
        if action.startswith("s3:"):
            self.asked.add(_of_bucket(model.name, params))
        elif "RequestItems" in params:
            self.asked |= {Asked(action, table) for table in params["RequestItems"]}
        elif "ImportArn" in params:
            self.asked.add(Asked(action, params["ImportArn"].split("/")[1], "import"))
        else:
            table = params.get("TableName") or params["TableCreationParameters"]["TableName"]
            item = params.get("Key") or params.get("Item") or {}
            self.asked.add(Asked(action, table, item.get("pk", {}).get("S", "")))


def _of_bucket(operation: str, params: dict[str, Any]) -> Asked:
    actions = {"HeadObject": "s3:GetObject", "ListObjectsV2": "s3:ListBucket"}
    multipart = operation in {"CreateMultipartUpload", "UploadPart", "CompleteMultipartUpload"}
    action = "s3:PutObject" if multipart else actions.get(operation, f"s3:{operation}")
    key = params.get("Key", "")
    return Asked(action, params["Bucket"], key.partition("/")[0])


@pytest.fixture
def recorded() -> Iterator[Recorded]:
    with mock_aws():
        yield Recorded()


def build(recorded: Recorded, folder: Path) -> None:
    """Publish and archive four months as the builder does."""
    filling = ImportFiller(recorded.client, recorded.s3, "kept", 0.01)
    place = DynamoDestination(recorded.client, recorded.companies, "stack-register", filling, 0.01, 0)
    bucket = Bucket(recorded.s3, "kept")
    before = None
    for name in ("2026-08-08", "2026-09-12", "2026-10-10", "2026-11-14"):
        bucket.download("2026-08-08", folder / f"before-{name}")
        file = write_file(
            folder / f"{name}.db", {CNPJ: "B", ROOT: "R"}, name, build=name, since=before, changes={CNPJ: "+"}
        )
        before = name, name
        with file.open("ab") as padded:
            padded.truncate(9_000_000)  # sent in parts
        place.add(file, name, lambda _: None)
        place.switch(name)
        bucket.upload(file, name, [])
    place.snapshots()


def granted(resources: dict[str, Any], role: str, services: tuple[str, ...]) -> set[Asked]:
    """Return the rights of a role, one action on one resource below one key each."""
    return {
        Asked(action, *place)
        for name, statement in statements(resources)
        if name == role and statement["Action"][0].startswith(services)
        for action in statement["Action"]
        for place in _places(statement)
    }


def _places(statement: dict[str, Any]) -> Iterator[tuple[str, str]]:
    keys = statement.get("Condition", {}).get("ForAllValues:StringLike", {}).get("dynamodb:LeadingKeys", [""])
    for resource in _as_list(statement["Resource"]):
        if "Fn::GetAtt" in resource:
            attribute = ".".join(_as_list(resource["Fn::GetAtt"]))
            names = {"CompaniesTable.Arn": "companies", "RegisterBucket.Arn": "kept"}
            name = names.get(attribute, attribute)
            for key in keys:
                yield name, _plain(key)
        elif "Fn::ImportValue" in resource:
            assert resource == {"Fn::ImportValue": {"Fn::Sub": "${Service}-CompaniesTableArn"}}
            for key in keys:
                yield "companies", _plain(key)
        else:
            text = _plain(resource).removesuffix("/*")
            name, _, key = text.rpartition("table/")[2].replace(BUCKET, "kept").partition("/")
            yield name, key


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _plain(value: Any) -> str:
    text: str = value["Fn::Sub"] if isinstance(value, dict) else value
    for name in STACKS:
        text = text.replace(name, "stack")
    return text


def test_the_builder_has_the_rights_it_uses_and_no_other(recorded: Recorded, resources, tmp_path) -> None:
    build(recorded, tmp_path)
    asked = {
        one._replace(resource=one.resource.replace(recorded.companies, "companies")) for one in recorded.asked
    }
    unneeded = granted(resources, "RegisterTaskRole", ("dynamodb:", "s3:")) - asked
    assert asked - granted(resources, "RegisterTaskRole", ("dynamodb:", "s3:")) == set()
    assert unneeded == {
        Asked("s3:GetObject", "kept", "import"),  # used by the import, with the rights of its caller
        Asked("s3:AbortMultipartUpload", "kept", "import"),
        Asked("s3:AbortMultipartUpload", "kept", "months"),
    }


@pytest.mark.parametrize("role", ["CnpjRole", "McpRole"])
def test_a_look_up_may_read_the_snapshot_and_no_more(
    recorded: Recorded, resources: dict[str, Any], tmp_path: Path, role: str
) -> None:
    build(recorded, tmp_path)
    recorded.asked.clear()
    months = DynamoMonths(recorded.client, recorded.companies)
    assert StoredSnapshot(months).find(CNPJ)
    assert len(DynamoHistory(months, lambda: NOVEMBER).rows(CNPJ, "2026-11-14")) == 3
    asked = {
        one._replace(resource=one.resource.replace(recorded.companies, "companies")) for one in recorded.asked
    }
    rights = granted(resources, role, ("dynamodb:",))
    assert asked == {
        Asked("dynamodb:GetItem", "companies", "REGISTER"),
        Asked("dynamodb:BatchGetItem", "stack-register-b"),
        Asked("dynamodb:BatchGetItem", "stack-register-changes"),
    }
    assert asked <= rights
    of_copy = {one for one in rights if "register" in f"{one.resource} {one.key}".lower()}
    assert of_copy - asked == {Asked("dynamodb:BatchGetItem", "stack-register-a")}


def test_the_status_may_read_the_snapshot(resources: dict[str, Any]) -> None:
    rights = granted(resources, "SiteRole", ("dynamodb:",))
    assert {
        Asked("dynamodb:GetItem", "companies", "REGISTER"),
        Asked("dynamodb:BatchGetItem", "stack-register-b"),
    } <= rights


def test_nothing_is_granted_by_default(resources: dict[str, Any]) -> None:
    assert template()["Parameters"]["RegistryCopy"]["Default"] == ""
    for role in ("CnpjRole", "McpRole", "SiteRole"):
        of_copy = [one for one in rights(resources) if one.role == role and "register" in str(one).lower()]
        assert {one.condition for one in of_copy} == {"ReadsRegister"}, role


def test_the_bucket_is_private_and_deletes_imports(resources: dict[str, Any]) -> None:
    (bucket,) = of_type(resources, "AWS::S3::Bucket").values()
    assert set(bucket["PublicAccessBlockConfiguration"].values()) == {True}
    rules = {rule["Id"]: rule for rule in bucket["LifecycleConfiguration"]["Rules"]}
    assert (rules["imports"]["Prefix"], rules["imports"]["ExpirationInDays"]) == ("import/", 3)
    assert all("Prefix" not in rule or rule["Prefix"] == "import/" for rule in rules.values())


def test_the_task_has_the_settings_of_a_build(resources: dict[str, Any]) -> None:
    (task,) = of_type(resources, "AWS::ECS::TaskDefinition").values()
    (container,) = task["ContainerDefinitions"]
    assert container["Command"] == ["build", {"Ref": "Source"}]
    given = {variable["Name"]: variable["Value"] for variable in container["Environment"]}
    assert (given["STORE"], given["REGISTRY_COPY"]) == ("dynamodb", "store")
    assert container["EntryPoint"][3:] == [
        *("--tables", {"Fn::Sub": "${Service}-register"}),
        *("--bucket", {"Ref": "RegisterBucket"}),
        {"Fn::If": ["Searches", "--indexes=/indexes", {"Ref": "AWS::NoValue"}]},
    ]
    assert 99 / 1.0737 * 1.4 < task["EphemeralStorage"]["SizeInGiB"] <= 200


def test_the_builder_finds_the_table_by_what_the_service_exports() -> None:
    exported = {
        output["Export"]["Name"]["Fn::Sub"]: output["Value"]
        for output in template()["Outputs"].values()
        if "Export" in output
    }
    assert exported == {
        "${AWS::StackName}-CompaniesTable": {"Ref": "CompaniesTable"},
        "${AWS::StackName}-CompaniesTableArn": {"Fn::GetAtt": "CompaniesTable.Arn"},
    }
