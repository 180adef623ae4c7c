"""Searches on AWS, an option of register.yaml: a function reads indexes, the service invokes it."""

from __future__ import annotations

from typing import Any

import pytest

from brskills_server.runtime import search_function
from tests.services.expanded import of_type, read, statements
from tests.services.gateway import ROOT

NONE = {"Ref": "AWS::NoValue"}
PART = "Search"


@pytest.fixture(scope="module")
def register() -> dict[str, Any]:
    found: dict[str, Any] = read("register.yaml")["Resources"]
    return found


@pytest.fixture(scope="module")
def function(register: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any]
    (found,) = of_type(register, "AWS::Lambda::Function").values()
    return found


def test_nothing_of_it_is_there_by_default(register: dict[str, Any]) -> None:
    template = read("register.yaml")
    assert template["Parameters"][PART]["Default"] == "off"
    assert template["Conditions"]["Searches"] == {"Fn::Equals": [{"Ref": PART}, "on"]}
    assert {r.get("Condition") for name, r in register.items() if name.startswith(PART)} == {"Searches"}
    task = register["RegisterTask"]["Properties"]
    for part in (task["Volumes"], task["ContainerDefinitions"][0]["MountPoints"]):
        assert part["Fn::If"][::2] == ["Searches", NONE]
    for policy in register["RegisterTaskRole"]["Properties"]["Policies"]:
        for statement in policy["PolicyDocument"]["Statement"]:
            assert "elasticfilesystem" not in str(statement) or statement["Fn::If"][::2] == ["Searches", NONE]


def test_the_service_may_invoke_it_by_the_name_that_the_builder_writes(
    service: dict[str, Any], function: dict[str, Any], register: dict[str, Any]
) -> None:
    assert function["FunctionName"] == {"Fn::Sub": "${Service}-register-search"}
    options = register["RegisterTask"]["Properties"]["ContainerDefinitions"][0]["EntryPoint"]
    assert options[options.index("--tables") + 1] == {"Fn::Sub": "${Service}-register"}
    invoking = {
        role: one["Resource"] for role, one in statements(service) if "lambda:Invoke" in one["Action"][0]
    }
    assert invoking.keys() == {"CnpjRole", "McpRole"}
    for resource in invoking.values():
        assert resource["Fn::Sub"].endswith(":function:${AWS::StackName}-register-search")


def test_its_code_is_in_the_folder_that_is_uploaded(function: dict[str, Any]) -> None:
    module, _, name = function["Handler"].rpartition(".")
    assert (ROOT / function["Code"] / f"{module.replace('.', '/')}.py").is_file()
    assert callable(getattr(search_function, name))
    assert module == search_function.__name__
    assert function["FileSystemConfigs"][0]["LocalMountPath"] == f"{search_function.MOUNTED}"


def test_builder_and_function_mount_the_same_folder(
    register: dict[str, Any], function: dict[str, Any]
) -> None:
    (volume,) = register["RegisterTask"]["Properties"]["Volumes"]["Fn::If"][1]
    mount = volume["EFSVolumeConfiguration"]
    assert mount["AuthorizationConfig"] == {"AccessPointId": {"Ref": "SearchAccess"}, "IAM": "ENABLED"}
    assert mount["TransitEncryption"] == "ENABLED"
    assert function["FileSystemConfigs"][0]["Arn"] == {"Fn::GetAtt": "SearchAccess.Arn"}
    (point,) = register["RegisterTask"]["Properties"]["ContainerDefinitions"][0]["MountPoints"]["Fn::If"][1]
    assert point == {"SourceVolume": volume["Name"], "ContainerPath": "/indexes"}
    user = of_type(register, "AWS::EFS::AccessPoint")["SearchAccess"]["PosixUser"]["Uid"]
    dockerfile = ROOT / "layers/shared/brskills_server/snapshot_builder/Dockerfile"
    assert f"USER {user}:" in dockerfile.read_text(encoding="utf-8")


def test_only_builder_and_function_reach_the_file_system(register: dict[str, Any]) -> None:
    targets = of_type(register, "AWS::EFS::MountTarget").values()
    assert [one["SubnetId"] for one in targets] == [{"Fn::Select": [n, {"Ref": "Subnets"}]} for n in (0, 1)]
    assert {one["SecurityGroups"][0]["Ref"] for one in targets} == {"SearchFilesGroup"}
    group = register["SearchFilesGroup"]["Properties"]
    sources = [one["SourceSecurityGroupId"]["Ref"] for one in group["SecurityGroupIngress"]]
    assert sources == ["RegisterGroup", "SearchGroup"]
    assert "SecurityGroupIngress" not in register["SearchGroup"]["Properties"]
    (denied,) = register["SearchFiles"]["Properties"]["FileSystemPolicy"]["Statement"]
    assert (denied["Effect"], denied["Condition"]) == ("Deny", {"Bool": {"aws:SecureTransport": "false"}})
    writers = {role for role, one in statements(register) if "elasticfilesystem:ClientWrite" in one["Action"]}
    assert writers == {"RegisterTaskRole"}
