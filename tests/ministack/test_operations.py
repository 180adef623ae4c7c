"""The operator's procedures of docs/operate on MiniStack: restoring both ways, closing sign-ups."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from tests.ministack.conftest import client, sign_up
from tests.services.gateway import ROOT
from tests.services.ministack import BUCKET, REGION, STACK

RESTORED = f"{STACK}-restored"
CODE = {"chave": "pix@exemplo.com.br", "nome_recebedor": "Padaria", "cidade": "Recife"}


@pytest.fixture(scope="module")
def admin(base: str, outputs: dict[str, str]) -> Callable[..., str]:
    """The operator's command line over the stack's tables."""
    environment = {
        **os.environ,
        "AWS_DEFAULT_REGION": REGION,
        "STORE": "dynamodb",
        "AWS_ENDPOINT_URL_DYNAMODB": base.partition("/_aws/")[0],
        "ACCESS_TABLE": outputs["AccessTable"],
        "WATCHES_TABLE": outputs["WatchesTable"],
        "COMPANIES_TABLE": outputs["CompaniesTable"],
    }

    def run(*arguments: str, **settings: str) -> str:
        command = [sys.executable, "-m", "brskills_server.admin", *arguments]
        ran = subprocess.run(
            command, cwd=ROOT, env={**environment, **settings}, capture_output=True, text=True
        )
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    return run


@pytest.fixture
def restored(base: str) -> Iterator[str]:
    """The name for a restored table, which is deleted afterwards."""
    yield RESTORED
    client(base, "dynamodb").delete_table(TableName=RESTORED)


def call(base: str, key: str) -> int:
    answer = httpx.post(f"{base}/api/v1/skills/pix", json=CODE, headers={"X-API-Key": key}, timeout=60)
    return answer.status_code


def calls(base: str, key: str) -> int:
    answer = httpx.get(f"{base}/api/v1/usage", headers={"X-API-Key": key}, timeout=60)
    count: int = answer.json()["chamadas"]
    return count


def restore(base: str, source: str) -> None:
    client(base, "dynamodb").restore_table_to_point_in_time(
        SourceTableName=source, TargetTableName=RESTORED, UseLatestRestorableTime=True
    )


def test_a_deleted_account_is_restored_while_the_service_runs(
    base: str, outputs: dict[str, str], admin: Callable[..., str], restored: str, tmp_path: Path
) -> None:
    lost, other = sign_up(base), sign_up(base)
    assert call(base, lost["api_key"]) == 200
    restore(base, outputs["AccessTable"])
    admin("delete", lost["id"])
    assert call(base, lost["api_key"]) == 401
    assert call(base, other["api_key"]) == 200
    backup = f"sqlite:///{tmp_path}/restored.db"
    admin("move", "dynamodb", backup, ACCESS_TABLE=restored)
    admin("restore", backup, lost["id"])
    assert call(base, lost["api_key"]) == 200
    assert (calls(base, lost["api_key"]), calls(base, other["api_key"])) == (2, 1)


def test_a_table_of_an_earlier_time_replaces_the_present_one(
    base: str, outputs: dict[str, str], restored: str
) -> None:
    dynamodb, table = client(base, "dynamodb"), outputs["AccessTable"]
    before = sign_up(base)["api_key"]
    assert call(base, before) == 200
    restore(base, table)
    since = sign_up(base)["api_key"]
    assert (call(base, before), call(base, since)) == (200, 200)
    kept = dynamodb.create_backup(TableName=restored, BackupName="restored")["BackupDetails"]["BackupArn"]
    dynamodb.update_table(TableName=table, DeletionProtectionEnabled=False)
    dynamodb.delete_table(TableName=table)
    assert call(base, before) == 503
    dynamodb.restore_table_from_backup(TargetTableName=table, BackupArn=kept)
    dynamodb.get_waiter("table_exists").wait(TableName=table)
    assert (call(base, before), call(base, since)) == (200, 401)
    assert calls(base, before) == 2  # one before the moment, none of those since, one after


def test_sign_ups_are_closed_at_once_and_then_by_the_parameter(base: str) -> None:
    key = sign_up(base)["api_key"]
    throttle(base, 0, 0)
    answer = httpx.post(f"{base}/api/v1/keys", timeout=60)
    assert (answer.status_code, answer.json()["code"]) == (429, "throttled")
    set_parameter(base, "SignupsPerDay", "0")
    throttle(base, 5, 10)
    answer = httpx.post(f"{base}/api/v1/keys", timeout=60)
    assert (answer.status_code, answer.json()["code"]) == (403, "signup_closed")
    assert call(base, key) == 200
    set_parameter(base, "SignupsPerDay", "50")
    assert calls(base, key) == 1


def throttle(base: str, rate: int, burst: int) -> None:
    path = "/~1api~1v1~1keys/POST/throttling"
    client(base, "apigateway").update_stage(
        restApiId=base.split("/")[-2],
        stageName="v1",
        patchOperations=[
            {"op": "replace", "path": f"{path}/rateLimit", "value": str(rate)},
            {"op": "replace", "path": f"{path}/burstLimit", "value": str(burst)},
        ],
    )


def set_parameter(base: str, name: str, value: str) -> None:
    """Deploy the same template again with another value, all others as they are.

    With another release, so that SAM names the versions anew.
    """
    formation, s3 = client(base, "cloudformation"), client(base, "s3")
    template = s3.get_object(Bucket=BUCKET, Key="template.json")["Body"].read().decode()
    released = re.sub(r"(?<=FunctionVersion)[0-9a-f]{10}", uuid4().hex[:10], template)
    s3.put_object(Bucket=BUCKET, Key="template.json", Body=released)
    (stack,) = formation.describe_stacks(StackName=STACK)["Stacks"]
    others = {parameter["ParameterKey"] for parameter in stack["Parameters"]} - {name}
    formation.update_stack(
        StackName=STACK,
        TemplateURL=f"{base.partition('/_aws/')[0]}/{BUCKET}/template.json",
        Parameters=[
            {"ParameterKey": name, "ParameterValue": value},
            *({"ParameterKey": other, "UsePreviousValue": True} for other in sorted(others)),
        ],
        Capabilities=["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"],
    )
    formation.get_waiter("stack_update_complete").wait(StackName=STACK, WaiterConfig={"Delay": 1})
