"""The skills: listed for clients of the extension, readable by all, and right in every name they use."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from typing import Any

import pytest
import yaml

from brskills_server.agents.extensions import SKILLS as EXTENSION
from brskills_server.agents.protocol_versions import CAPABILITIES_KEY
from brskills_server.agents.skill_files import TITLES, read_guide
from brskills_server.skills.catalogue import SKILLS
from brskills_server.skills.payee.alerts import ALERTS
from brskills_server.web.problem_table import PROBLEMS

from .conftest import META, Caller

STATED = {"_meta": {**META, CAPABILITIES_KEY: {"extensions": {EXTENSION: {}}}}}
GUIDES = [name for name in TITLES if name != "brskills"]
OF_PROBLEMS = {"errors", "confirmado"}
VALUES = {"todas", "confere", "diverge", "valida", "ausente", "registro", "true", "null", "brskills"}
NAME = re.compile("(?<=`)[a-z][a-z_]*(?:[.][a-z_]+)?(?=`)")


def skills_of(caller: Caller) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = caller.new("skills/list", STATED).body["result"]["skills"]
    return found


def text_of(caller: Caller, uri: str) -> str:
    (contents,) = caller.old("resources/read", {"uri": uri}).body["result"]["contents"]
    assert contents["mimeType"] == "text/markdown"
    text: str = contents["text"]
    return text


def test_the_extension_is_declared_to_clients_that_state_it_and_not_for_others_to_keep(
    caller: Caller,
) -> None:
    declared = caller.new("server/discover", STATED).body["result"]
    assert declared["capabilities"]["extensions"] == {EXTENSION: {}}
    assert declared["cacheScope"] == "private"
    capabilities = {"extensions": {EXTENSION: {}}}
    greeted = caller.old("initialize", {"protocolVersion": "2025-11-25", "capabilities": capabilities})
    assert greeted.body["result"]["capabilities"]["extensions"] == {EXTENSION: {}}
    assert "extensions" not in caller.new("server/discover").body["result"]["capabilities"]


def test_a_skill_is_listed_with_the_front_matter_and_digest_of_the_file_that_is_read(caller: Caller) -> None:
    listed = skills_of(caller)
    assert [skill["uri"] for skill in listed] == [f"skill://{name}/SKILL.md" for name in TITLES]
    for skill in listed:
        text = text_of(caller, skill["uri"])
        assert skill["frontmatter"] == yaml.safe_load(text.split("---\n")[1])
        assert skill["frontmatter"]["name"] == skill["uri"].split("/")[-2]
        assert 20 < len(skill["frontmatter"]["description"]) <= 1024
        content = text.encode()
        digest = f"sha256:{sha256(content).hexdigest()}"
        assert skill["resources"] == [{"uri": skill["uri"], "digest": digest, "size": len(content)}]


def test_one_skill_is_the_entry_of_the_list(caller: Caller) -> None:
    for skill in skills_of(caller):
        result = caller.new("skills/get", {**STATED, "uri": skill["uri"]}).body["result"]
        assert result["skill"] == skill
        assert (result["ttlMs"], result["cacheScope"]) == (3_600_000, "public")
        assert "nextCursor" not in result
        assert caller.old("skills/get", {"uri": skill["uri"]}).body["result"] == {"skill": skill}


@pytest.mark.parametrize("uri", ["skill://unknown/SKILL.md", "skill://brskills/", "", None, ["x"], {}])
def test_an_unknown_skill_is_refused(caller: Caller, uri: object) -> None:
    assert caller.new("skills/get", {**STATED, "uri": uri}).error == (400, -32602)
    assert caller.old("skills/get", {"uri": uri}).error == (200, -32602)


def test_a_further_page_of_skills_is_refused(caller: Caller) -> None:
    assert caller.new("skills/list", {**STATED, "cursor": "2"}).error == (400, -32602)


def test_the_service_is_described_as_at_its_address(caller: Caller) -> None:
    text = text_of(caller, "skill://brskills/SKILL.md")
    assert "https://api.example.com/v1/api/v1/skills/pix/conferir" in text
    assert not re.search("[{]+[#a-z]+[}]", text)


@pytest.mark.parametrize("name", GUIDES)
def test_a_guide_names_only_what_exists(name: str) -> None:
    models = [model for skill in SKILLS.values() for model in (skill.request_model, skill.result_model)]
    schemas = json.dumps([model.model_json_schema() for model in models])
    known = {*re.findall(r'"(\w+)":', schemas), *SKILLS, *PROBLEMS, *OF_PROBLEMS, *VALUES}
    known |= {code.partition(":")[0] for code in ALERTS}
    written = {part for found in NAME.findall(read_guide(name)[1]) for part in found.split(".")}
    assert written
    assert written <= known


@pytest.mark.parametrize("name", GUIDES)
def test_a_guide_calls_tools_as_their_schemas_have_it(name: str) -> None:
    _, body = read_guide(name)
    calls = [json.loads(block) for block in re.findall("```json\n(.*?)```", body, re.DOTALL)]
    assert calls
    for call in calls:
        SKILLS[call["name"]].request_model.model_validate(call["arguments"])
