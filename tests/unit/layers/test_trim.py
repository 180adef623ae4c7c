"""The layer's trimmed botocore has the operations that adapters use, unchanged."""

from __future__ import annotations

import ast
import shutil
from pathlib import Path
from typing import Any, get_args

import botocore.session
import pytest
from botocore.loaders import Loader
from botocore.model import ServiceModel, Shape

from brskills_server.adapters.aws import Service
from layers.shared.trim import trim
from tests.services.gateway import ROOT

SHARED = ROOT / "layers/shared"
USED = {
    "apigateway": ["CreateApiKey", "CreateUsagePlanKey", "DeleteApiKey", "GetApiKeys", "GetUsagePlanKeys"],
    "dynamodb": [
        "BatchGetItem",
        "BatchWriteItem",
        "CreateTable",
        "DeleteItem",
        "GetItem",
        "PutItem",
        "Query",
        "Scan",
        "TransactWriteItems",
        "UpdateItem",
        "UpdateTimeToLive",
    ],
    "lambda": ["Invoke"],
    "sqs": ["SendMessage", "SendMessageBatch"],
    "ssm": ["GetParameter"],
}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The trimmed data of the installed botocore."""
    data = tmp_path_factory.mktemp("botocore") / "data"
    installed = Path(Loader.BUILTIN_DATA_PATH)
    others = {path.name for path in installed.iterdir() if path.is_dir()} - {*USED, "s3"}
    shutil.copytree(installed, data, ignore=lambda folder, _: others if folder == str(installed) else ())
    trim(data, SHARED / "brskills_server/adapters")
    return data


@pytest.fixture
def trimmed(data: Path, monkeypatch: pytest.MonkeyPatch) -> Loader:
    """A loader of it, which new clients use."""
    monkeypatch.setattr(Loader, "BUILTIN_DATA_PATH", str(data))
    return Loader()


def models(loader: Loader) -> dict[str, ServiceModel]:
    return {name: ServiceModel(loader.load_service_model(name, "service-2"), name) for name in USED}


def test_the_services_are_those_of_the_adapters(trimmed: Loader) -> None:
    assert set(USED) == set(get_args(Service))
    assert trimmed.list_available_services("service-2") == sorted(USED)


def test_it_has_the_operations_in_use_alone(trimmed: Loader) -> None:
    found = {name: sorted(model.operation_names) for name, model in models(trimmed).items()}
    assert found == USED


def test_operations_are_unchanged(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = {name: described(model) for name, model in models(Loader()).items()}
    monkeypatch.setattr(Loader, "BUILTIN_DATA_PATH", str(data))
    assert {name: described(model) for name, model in models(Loader()).items()} == before


def described(model: ServiceModel) -> dict[str, Any]:
    """Return the operations in use, without documentation."""
    return {
        name: [
            operation.http,
            operation.auth_type,
            operation.endpoint_discovery,
            operation.idempotent_members,
            operation.static_context_parameters,
            [error.name for error in operation.error_shapes],
            *(
                drawn(shape)
                for shape in (operation.input_shape, operation.output_shape, *operation.error_shapes)
            ),
        ]
        for name in USED[model.service_name]
        for operation in [model.operation_model(name)]
    }


def drawn(shape: Shape | None, above: tuple[str, ...] = ()) -> Any:
    if shape is None or shape.name in above:  # a value of DynamoDB's may hold such values
        return shape and shape.name
    above = (*above, shape.name)
    members = getattr(shape, "members", {})
    parts = [getattr(shape, part, None) for part in ("member", "key", "value")]
    return [
        shape.name,
        shape.type_name,
        shape.serialization,
        shape.metadata,
        {name: drawn(member, above) for name, member in members.items()},
        [drawn(part, above) for part in parts if isinstance(part, Shape)],
    ]


@pytest.mark.parametrize(
    ("service", "region"),
    [
        ("apigateway", "sa-east-1"),
        ("dynamodb", "us-gov-west-1"),
        ("sqs", "sa-east-1"),
        ("ssm", "cn-north-1"),
    ],
)
def test_a_client_has_the_same_address(service: str, region: str, data: Path, monkeypatch) -> None:
    def address() -> tuple[str, str]:
        client = botocore.session.Session().create_client(service, region_name=region)
        return client.meta.endpoint_url, client.meta.partition

    before = address()
    monkeypatch.setattr(Loader, "BUILTIN_DATA_PATH", str(data))
    assert address() == before


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ('aws_client("dynamodb").get_item; aws_client(name)', "must stand where its client is made"),
        ('aws_client("dynamodb").get_item; aws_client("no-such")', "no data on no-such"),
        ('aws_client("dynamodb").fly', "no operation of dynamodb"),
        ("", "must stand where its client is made"),
    ],
)
def test_it_fails_where_operations_cannot_be_determined(source: str, reason: str, tmp_path: Path) -> None:
    shutil.copytree(Path(Loader.BUILTIN_DATA_PATH) / "dynamodb", tmp_path / "data/dynamodb")
    (tmp_path / "adapters").mkdir()
    (tmp_path / "adapters/one.py").write_text(source)
    with pytest.raises(SystemExit, match=reason):
        trim(tmp_path / "data", tmp_path / "adapters")


def test_no_function_makes_a_client_elsewhere() -> None:
    """The data of its service would be missing."""
    makers = {"boto3", "create_client", "get_session"}
    found = set()
    builder = SHARED / "brskills_server/snapshot_builder"
    for path in (*SHARED.rglob("*.py"), *ROOT.glob("functions/*/*.py")):
        if path.is_relative_to(builder):
            continue  # it runs in a container, with all of boto3
        for node in ast.walk(ast.parse(path.read_bytes())):
            named = {getattr(node, part, None) for part in ("name", "attr", "module", "id")}
            if makers & {name for name in named if isinstance(name, str)}:
                found.add(path.relative_to(ROOT).as_posix())
    assert found == {
        "layers/shared/brskills_server/adapters/aws.py",
        "layers/shared/brskills_server/adapters/dynamodb/local.py",
    }  # the second is for the gateway
