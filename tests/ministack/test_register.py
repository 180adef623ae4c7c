"""The register snapshot on MiniStack: published by an import, read by the functions.

MiniStack mounts no file system: the function for searches runs, and has no index.
"""

import copy
import json
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from brskills_server.registry.snapshot.rows import COMPANY_FIELDS, ESTABLISHMENT_FIELDS, FIELD_SEPARATOR
from brskills_server.snapshot_builder.destinations.bucket import Bucket
from brskills_server.snapshot_builder.destinations.dynamodb import DynamoDestination
from brskills_server.snapshot_builder.destinations.table_fillers import ImportFiller
from tests.integration.adapters.copies.months import write_file
from tests.ministack.conftest import client, sign_up
from tests.services.expanded import read
from tests.services.gateway import ROOT
from tests.services.ministack import BUCKET, REGION, STACK, create_stack, physical_ids, zipped

CNPJ = "12ABC34501DE35"


BUILDER = {
    "Service": STACK,
    "Image": "builder:1",
    "Source": "https://share.example/s/token",
    "Search": "on",
}


@pytest.fixture(scope="module")
def builder(base: str) -> dict[str, str]:
    """Physical names of the builder's stack, deployed beside the service's."""
    formation, ec2 = client(base, "cloudformation"), client(base, "ec2")
    vpc = ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
    subnets = [
        ec2.create_subnet(VpcId=vpc, CidrBlock=f"10.0.{n}.0/24", AvailabilityZone=zone)["Subnet"]["SubnetId"]
        for n, zone in enumerate((f"{REGION}a", f"{REGION}b"))
    ]
    template = copy.deepcopy(read("register.yaml"))
    function = template["Resources"]["SearchFunction"]["Properties"]
    client(base, "s3").put_object(Bucket=BUCKET, Key="search.zip", Body=zipped(ROOT / function["Code"]))
    function["Code"] = {"S3Bucket": BUCKET, "S3Key": "search.zip"}
    parameters = {**BUILDER, "Vpc": vpc, "Subnets": ",".join(subnets)}
    create_stack(formation, f"{STACK}-register", parameters, TemplateBody=json.dumps(template))
    return physical_ids(formation, f"{STACK}-register")


@pytest.fixture(scope="module")
def place(base: str, resources: dict[str, str], builder: dict[str, str]) -> DynamoDestination:
    dynamodb, s3 = client(base, "dynamodb"), client(base, "s3")
    filling = ImportFiller(dynamodb, s3, builder["RegisterBucket"], poll_seconds=0.1)
    return DynamoDestination(dynamodb, resources["CompaniesTable"], f"{STACK}-register", filling, 0.1, 0)


def month(file: Path, name: str, day: str, since: str | None = None, before: str = "") -> Path:
    root = [f'{name} "\\S/A', "2062", "1000.00", "03"]
    branch = ["1", "", "02", "20200102", "", "", "20200102", "6201501"]
    rows = {CNPJ[:8]: (root, COMPANY_FIELDS), CNPJ: (branch, ESTABLISHMENT_FIELDS)}
    return write_file(
        file,
        {
            key: FIELD_SEPARATOR.join([*row, *[""] * (len(fields) - len(row))])
            for key, (row, fields) in rows.items()
        },
        day,
        build=f"b{day}",
        since=(f"b{since}", since) if since else None,
        changes={CNPJ[:8]: f"r{before}\x1c{name}"} if since else {},
    )


def record(base: str, key: str) -> dict[str, Any]:
    answer = httpx.get(f"{base}/api/v1/skills/cnpj/{CNPJ}", headers={"X-API-Key": key}, timeout=60)
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


def test_a_month_that_is_put_in_place_is_what_the_functions_answer(
    base: str, place: DynamoDestination, tmp_path: Path
) -> None:
    key = sign_up(base)["api_key"]
    since, before = None, ""
    for name, day in (("ANTIGA", "2026-08-08"), ("NOVA", "2026-09-12")):
        place.add(month(tmp_path / f"{day}.db", name, day, since, before), day, lambda _: None)
        since, before = day, name
        place.switch(day)
        deadline = time.monotonic() + 60
        while (found := record(base, key))["data_base"] != day and time.monotonic() < deadline:
            time.sleep(1)
        assert (found["fonte"], found["data_base"]) == ("receita", day)
        assert (found["razao_social"], found["cnpj"]) == (f'{name} "\\S/A', CNPJ)
    history = httpx.get(
        f"{base}/api/v1/skills/cnpj/historico/{CNPJ}", headers={"X-API-Key": key}, timeout=60
    ).json()
    assert (history["desde"], history["data_base"]) == ("2026-08-08", "2026-09-12")
    assert history["mudancas"] == [
        {"data_base": "2026-09-12", "campo": "razao_social", "de": "ANTIGA", "para": "NOVA"}
    ]
    assert [(kept.name, kept.current) for kept in place.snapshots()] == [
        ("2026-09-12", True),
        ("2026-08-08", False),
    ]


def test_what_a_month_changes_is_announced(
    base: str, place: DynamoDestination, resources: dict[str, str], tmp_path: Path
) -> None:
    key = {"X-API-Key": sign_up(base)["api_key"]}
    announce(base, resources)  # the month in place, behind which changes are announced
    watched = httpx.post(f"{base}/api/v1/watches", json={"cnpj": CNPJ}, headers=key, timeout=60)
    assert watched.status_code == 201
    file = month(tmp_path / "month.db", "OUTRA", "2026-10-10", "2026-09-12", "NOVA")
    place.add(file, "2026-10-10", lambda _: None)
    place.switch("2026-10-10")
    deadline = time.monotonic() + 120
    changes: list[dict[str, Any]] = []
    while not changes and time.monotonic() < deadline:
        announce(base, resources)
        changes = httpx.get(f"{base}/api/v1/changes", headers=key, timeout=60).json()["mudancas"]
    assert [(one["cnpj"], one["data_base"], one["mudancas"]) for one in changes] == [
        (
            CNPJ,
            "2026-10-10",
            [{"data_base": "2026-10-10", "campo": "razao_social", "de": "NOVA", "para": "OUTRA"}],
        )
    ]
    announce(base, resources)
    again = httpx.get(f"{base}/api/v1/changes", headers=key, timeout=60).json()["mudancas"]
    assert again == changes


def announce(base: str, resources: dict[str, str]) -> None:
    invoked = client(base, "lambda").invoke(FunctionName=resources["AnnounceFunction"], Payload="{}")
    assert "FunctionError" not in invoked, invoked["Payload"].read()


def test_the_former_months_file_is_kept_in_the_builders_bucket(
    base: str, builder: dict[str, str], tmp_path: Path
) -> None:
    bucket = Bucket(client(base, "s3"), builder["RegisterBucket"])
    file = month(tmp_path / "month.db", "NOVA", "2026-09-12")
    bucket.upload(file, "2026-09-12", ["2026-08-08"])
    assert bucket.download("2026-09-12", tmp_path / "receita")
    assert (tmp_path / "receita/2026-09-12/companies.db").read_bytes() == file.read_bytes()


def test_the_function_for_searches_runs_from_the_folder_as_it_is(base: str, builder: dict[str, str]) -> None:
    functions = client(base, "lambda")
    for asked, answer in (({"criteria": {"names": [["A"]]}, "after": ""}, None), ({"words": ["A"]}, [])):
        event = json.dumps({"edition_id": "any", "limit": 5, **asked})
        invoked = functions.invoke(FunctionName=builder["SearchFunction"], Payload=event)
        assert "FunctionError" not in invoked
        assert json.loads(invoked["Payload"].read()) == answer
    assert builder["SearchFunction"] == f"{STACK}-register-search"


def test_the_build_is_on_its_schedule(base: str, resources: dict[str, str], builder: dict[str, str]) -> None:
    schedule = client(base, "scheduler").get_schedule(Name=builder["RegisterRound"])
    assert schedule["Target"]["EcsParameters"]["TaskDefinitionArn"] == builder["RegisterTask"]
    task = client(base, "ecs").describe_task_definition(taskDefinition=builder["RegisterTask"])[
        "taskDefinition"
    ]
    assert task["containerDefinitions"][0]["image"] == "builder:1"
    given = {one["name"]: one["value"] for one in task["containerDefinitions"][0]["environment"]}
    options = task["containerDefinitions"][0]["entryPoint"][3:]
    bucket = builder["RegisterBucket"]
    assert options == ["--tables", f"{STACK}-register", "--bucket", bucket, "--indexes=/indexes"]
    assert given["COMPANIES_TABLE"] == resources["CompaniesTable"]
