"""The real template deployed on MiniStack, in a separate process.

It differs from a deployment on AWS in these points only:

- the layers are built for this Python and contain only the AWS services that the functions use, because each
  worker unpacks them anew; the functions wait longer for their store, which is the process that unpacks;
- artefacts are uploaded here instead of by ``sam deploy``;
- methods require no gateway key, because MiniStack ignores ``usageIdentifierKey``;
- authorizer, preflights, binary types and gateway responses are applied again from SAM's API definition, of
  which MiniStack takes only the routes;
- an alarm over several metrics watches the first of them, because MiniStack has only alarms over one metric.
"""

import contextlib
import copy
import io
import json
import os
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import boto3
import httpx

from tests.services.expanded import expand, read
from tests.services.expanded import template as read_template
from tests.services.gateway import ROOT, environment_of, free_port, running
from tests.services.monitoring import alarms

STACK = "brskills"
BUCKET = "artefacts"
PYTHON = str(environment_of("ministack") / "bin/python")  # also what the functions run on there
REGION = "us-east-1"
SERVICES = {"apigateway", "dynamodb", "lambda", "sqs", "ssm"}
STORE_SECONDS = "10"


@contextlib.contextmanager
def ministack(
    folder: Path, parameters: Mapping[str, str], packages: Path, variables: Mapping[str, str]
) -> Iterator[str]:
    """The base URL of the stack, deployed with these parameters; ``folder`` keeps what MiniStack prints.

    ``variables``: settings of the functions that are not parameters.

    ``packages``: a folder of packages that declare custom skills, for a separate layer.
    """
    # It unpacks the layers anew for each worker and leaves them behind.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as unpacked:
        port = free_port()
        process = start_ministack(port, folder / "ministack.log", TMPDIR=unpacked)
        with running(process, f"http://127.0.0.1:{port}/_ministack/health") as endpoint:
            layer = _published(endpoint, packages)
            yield _deploy(endpoint, {**parameters, "CustomSkillsLayer": layer}, variables)


def start_ministack(port: int, log: Path, **settings: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "BIND_HOST": "127.0.0.1", "GATEWAY_PORT": str(port), "LOG_LEVEL": "WARNING"}
    with log.open("ab") as output:
        return subprocess.Popen(
            [PYTHON, "-m", "ministack"],
            env={**environment, **settings},
            stdout=output,
            stderr=subprocess.STDOUT,
        )


def _published(endpoint: str, packages: Path) -> str:
    """The ARN of a layer that holds the packages, as an operator would make it."""
    functions: Any = boto3.client("lambda", endpoint_url=endpoint, region_name=REGION)
    made = functions.publish_layer_version(
        LayerName="custom-skills", Content={"ZipFile": zipped(packages, "python/")}
    )
    return str(made["LayerVersionArn"])


def _deploy(endpoint: str, parameters: Mapping[str, str], variables: Mapping[str, str]) -> str:
    def client(service: str) -> Any:
        return boto3.client(service, endpoint_url=endpoint, region_name=REGION)

    template = expand(_packaged(client("s3"), variables))
    nested = copy.deepcopy(read("monitoring.yaml"))
    _simplify_alarms(nested["Resources"])
    client("s3").put_object(Bucket=BUCKET, Key="monitoring.json", Body=json.dumps(nested))
    template["Resources"]["MonitoringStack"]["Properties"]["TemplateURL"] = (
        f"{endpoint}/{BUCKET}/monitoring.json"
    )
    rest_api = template["Resources"]["Api"]["Properties"]
    rest_api["BinaryMediaTypes"] = rest_api["Body"]["x-amazon-apigateway-binary-media-types"]
    client("s3").put_object(Bucket=BUCKET, Key="template.json", Body=json.dumps(template))
    formation = client("cloudformation")
    address = f"{endpoint}/{BUCKET}/template.json"
    create_stack(formation, STACK, {"Architecture": "x86_64", **parameters}, TemplateURL=address)
    ids = physical_ids(formation, STACK)
    api = ids["Api"]
    _complete(client("apigateway"), api, rest_api["Body"], ids["AuthorizerFunctionAliaslive"])
    base = f"{endpoint}/_aws/execute-api/{api}/v1"
    httpx.get(f"{base}/api/v1/plans", timeout=60).raise_for_status()
    return base


def create_stack(formation: Any, name: str, parameters: Mapping[str, str], **template: str) -> None:
    """Create a stack of a template (``TemplateURL`` or ``TemplateBody``), and wait until it is complete."""
    formation.create_stack(
        StackName=name,
        Parameters=[{"ParameterKey": key, "ParameterValue": value} for key, value in parameters.items()],
        Capabilities=["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"],
        **template,
    )
    formation.get_waiter("stack_create_complete").wait(
        StackName=name, WaiterConfig={"Delay": 1, "MaxAttempts": 60}
    )


def physical_ids(formation: Any, stack: str) -> dict[str, str]:
    """Return the physical names of a stack's resources, by logical name."""
    found = formation.describe_stack_resources(StackName=stack)["StackResources"]
    return {resource["LogicalResourceId"]: resource["PhysicalResourceId"] for resource in found}


def _packaged(s3: Any, variables: Mapping[str, str]) -> dict[str, Any]:
    """The template with its code uploaded and its addresses in place."""
    template = copy.deepcopy(read_template())
    s3.create_bucket(Bucket=BUCKET)
    for name, resource in template["Resources"].items():
        properties = resource.get("Properties", {})
        if resource["Type"] == "AWS::Serverless::LayerVersion":
            layer = _built_layer(name, ROOT / properties["ContentUri"])
            properties["ContentUri"] = _uploaded(s3, name, layer)
        elif resource["Type"] == "AWS::Serverless::Function":
            properties["CodeUri"] = _uploaded(s3, name, zipped(ROOT / properties["CodeUri"]))
            for event in properties.get("Events", {}).values():
                event["Properties"].get("Auth", {}).pop("ApiKeyRequired", None)
        resource.pop("Metadata", None)
    del template["Resources"]["Api"]["Properties"]["Auth"]["ApiKeyRequired"]
    template["Globals"]["Function"]["Environment"]["Variables"] |= {
        "STORE_TIMEOUT_SECONDS": STORE_SECONDS,
        **variables,
    }
    return template


def _simplify_alarms(resources: dict[str, Any]) -> None:
    """Leave alarms over several metrics the first one of them, with its period and statistic."""
    for alarm in alarms(resources):
        if "MetricName" in alarm.properties:
            continue
        first = next(query["MetricStat"] for query in alarm.queries if "MetricStat" in query)
        del alarm.properties["Metrics"]
        alarm.properties.update(
            first["Metric"],
            Period=first["Period"],
            Statistic=first["Stat"],
            Threshold=1,
            ComparisonOperator="GreaterThanOrEqualToThreshold",
            EvaluationPeriods=1,
        )


@cache
def _built_layer(name: str, source: Path) -> bytes:
    with tempfile.TemporaryDirectory() as target:
        options = [f"ARTIFACTS_DIR={target}", "LOCAL=1", f"PYTHON={PYTHON}"]
        subprocess.run(["make", "-s", "-C", source, f"build-{name}", *options], check=True)
        for service in Path(target).glob("python/botocore/data/*/"):
            if service.name not in SERVICES:
                shutil.rmtree(service)
        return zipped(Path(target))


def _uploaded(s3: Any, name: str, content: bytes) -> str:
    s3.put_object(Bucket=BUCKET, Key=f"{name}.zip", Body=content)
    return f"s3://{BUCKET}/{name}.zip"


def zipped(folder: Path, below: str = "") -> bytes:
    """Return an archive of a folder's files."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                archive.write(file, f"{below}{file.relative_to(folder)}")
    return packed.getvalue()


def _complete(gateway: Any, api: str, definition: dict[str, Any], authorizer_arn: str) -> None:
    """Apply what the import left out of the API's definition."""
    authorizer = next(
        scheme["x-amazon-apigateway-authorizer"]
        for scheme in definition["securityDefinitions"].values()
        if "x-amazon-apigateway-authorizer" in scheme
    )
    authorizer_id = gateway.create_authorizer(
        restApiId=api,
        name="KeyAuthorizer",
        type=authorizer["type"].upper(),
        authorizerUri=f"arn:aws:apigateway:{REGION}:lambda:path/2015-03-31/functions/{authorizer_arn}/invocations",
        identitySource=authorizer["identitySource"],
        authorizerResultTtlInSeconds=authorizer["authorizerResultTtlInSeconds"],
    )["id"]
    for resource in gateway.get_resources(restApiId=api, limit=500)["items"]:
        for method, operation in definition["paths"].get(resource["path"], {}).items():
            at = {"restApiId": api, "resourceId": resource["id"], "httpMethod": method.upper()}
            if any("KeyAuthorizer" in scheme for scheme in operation.get("security", [])):
                _require(gateway, at, authorizer_id)
            if operation["x-amazon-apigateway-integration"]["type"] == "mock":
                _mock(gateway, at, operation["x-amazon-apigateway-integration"])
    for kind, response in definition["x-amazon-apigateway-gateway-responses"].items():
        gateway.put_gateway_response(restApiId=api, responseType=kind, **response)
    gateway.create_deployment(restApiId=api, stageName="v1")


def _require(gateway: Any, at: dict[str, str], authorizer_id: str) -> None:
    gateway.update_method(
        **at,
        patchOperations=[
            {"op": "replace", "path": "/authorizationType", "value": "CUSTOM"},
            {"op": "replace", "path": "/authorizerId", "value": authorizer_id},
        ],
    )


def _mock(gateway: Any, at: dict[str, str], integration: dict[str, Any]) -> None:
    answer = integration["responses"]["default"]
    gateway.put_integration(**at, type="MOCK", requestTemplates=integration["requestTemplates"])
    gateway.put_method_response(
        **at,
        statusCode=answer["statusCode"],
        responseParameters=dict.fromkeys(answer["responseParameters"], True),
    )
    gateway.put_integration_response(**at, **answer)
