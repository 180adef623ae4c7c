"""The layer's botocore knows what the adapters ask and no more, and is without it no other than before."""

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
ASKED = {
    "apigateway": ["CreateApiKey", "CreateUsagePlanKey", "DeleteApiKey", "GetApiKeys", "GetUsagePlanKeys"],
    "dynamodb": [
        "BatchGetItem",
        "BatchWriteItem",
        "CreateTable",
        "DeleteItem",
        "GetItem",
        "PutItem",
        "Scan",
        "TransactWriteItems",
        "UpdateItem",
        "UpdateTimeToLive",
    ],
    "ssm": ["GetParameter"],
}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data of the botocore that is installed, trimmed."""
    data = tmp_path_factory.mktemp("botocore") / "data"
    shutil.copytree(Loader.BUILTIN_DATA_PATH, data)
    trim(data, SHARED / "brskills_server/adapters")
    return data


@pytest.fixture
def trimmed(data: Path, monkeypatch: pytest.MonkeyPatch) -> Loader:
    """Its loader; clients that are made from now on use it."""
    monkeypatch.setattr(Loader, "BUILTIN_DATA_PATH", str(data))
    return Loader()


def models(loader: Loader) -> dict[str, ServiceModel]:
    return {name: ServiceModel(loader.load_service_model(name, "service-2"), name) for name in ASKED}


def test_the_services_are_those_that_a_client_can_be_made_of(trimmed: Loader) -> None:
    assert set(ASKED) == set(get_args(Service))
    assert trimmed.list_available_services("service-2") == sorted(ASKED)


def test_it_knows_the_operations_that_are_asked_and_no_other(trimmed: Loader) -> None:
    found = {name: sorted(model.operation_names) for name, model in models(trimmed).items()}
    assert found == ASKED


def test_what_it_knows_of_them_is_what_it_knew(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = {name: described(model) for name, model in models(Loader()).items()}
    monkeypatch.setattr(Loader, "BUILTIN_DATA_PATH", str(data))
    assert {name: described(model) for name, model in models(Loader()).items()} == before


def described(model: ServiceModel) -> dict[str, Any]:
    """All of the operations that are asked, but for texts."""
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
        for name in ASKED[model.service_name]
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


@pytest.mark.parametrize("region", ["sa-east-1", "us-gov-west-1", "cn-north-1"])
@pytest.mark.parametrize("service", sorted(ASKED))
def test_a_client_finds_its_way_as_before(
    service: str, region: str, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
def test_it_ends_where_it_cannot_tell(source: str, reason: str, tmp_path: Path) -> None:
    shutil.copytree(Path(Loader.BUILTIN_DATA_PATH) / "dynamodb", tmp_path / "data/dynamodb")
    (tmp_path / "adapters").mkdir()
    (tmp_path / "adapters/one.py").write_text(source)
    with pytest.raises(SystemExit, match=reason):
        trim(tmp_path / "data", tmp_path / "adapters")


def test_no_function_makes_a_client_in_another_way() -> None:
    """Else the data on its service would not be there."""
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
