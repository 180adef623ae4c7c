"""What agents read, over real sockets, and that it leads somewhere."""

import re

import pytest

from brskills_server.skills.catalogue import offered_skills
from brskills_server.skills.tool_formats import FORMATS

OFFERED = {skill.name for skill in offered_skills(with_copy=False)}

DEMO = "brsk_demo00000000000000000000000000001gbZMd"


@pytest.mark.parametrize(
    ("path", "media_type"),
    [
        ("/api/v1/openapi.json", "application/json"),
        ("/api/v1/tools", "application/json"),
        ("/llms.txt", "text/plain; charset=utf-8"),
        ("/SKILL.md", "text/markdown; charset=utf-8"),
        ("/.well-known/ai-catalog.json", "application/ai-catalog+json"),
        ("/mcp/server-card", "application/mcp-server-card+json"),
        ("/server.json", "application/json"),
    ],
)
def test_documents_are_open_and_may_be_cached(http, path, media_type) -> None:
    answered = http.get(path)
    assert (answered.status_code, answered.headers["Content-Type"]) == (200, media_type)
    assert answered.headers["Cache-Control"] == "public, max-age=300"
    assert answered.headers["Access-Control-Allow-Origin"] == "*"
    assert "{base}" not in answered.text
    assert str(http.base_url).rstrip("/") in answered.text


@pytest.mark.parametrize(
    ("asked", "language", "said"),
    [(None, "pt", "Ver os planos"), ("en-US,en;q=0.9,pt;q=0.8", "en", "List the plans")],
)
def test_the_api_is_described_in_the_callers_language(http, asked, language, said) -> None:
    answered = http.get("/api/v1/openapi.json", headers={"Accept-Language": asked} if asked else {})
    assert answered.json()["paths"]["/api/v1/plans"]["get"]["summary"] == said
    assert answered.headers["Content-Language"] == language
    assert answered.headers["Vary"] == "Host, X-Forwarded-Proto, Authorization, X-API-Key, Accept-Language"
    assert answered.headers["Cache-Control"] == "public, max-age=300"


@pytest.mark.parametrize("path", ["/llms.txt", "/SKILL.md", "/.well-known/ai-catalog.json"])
def test_every_address_in_them_answers(http, path) -> None:
    base = str(http.base_url).rstrip("/")
    for address in set(re.findall(re.escape(base) + r"[\w/.?=-]*", http.get(path).text)):
        found = http.get(address)
        if found.status_code == 404:  # not by GET, then
            found = http.post(address, json={"brcode": "x"}, headers={"X-API-Key": DEMO})
        assert found.status_code in {200, 201, 401, 405, 422}, address


@pytest.mark.parametrize("form", FORMATS)
def test_tools_come_in_every_format_with_the_calls_that_run_them(http, form) -> None:
    content = http.get("/api/v1/tools", params={"format": form}).json()
    assert content["format"] == form
    assert set(content["routes"]) == OFFERED
    for route in content["routes"].values():
        assert http.request(route["method"], route["url"]).status_code == 401


def test_mcp_lists_the_same_tools_and_a_batch_after_them(http) -> None:
    listed = http.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).json()["result"][
        "tools"
    ]
    assert listed.pop()["name"] == "look_up_companies"
    assert http.get("/api/v1/tools?format=mcp").json()["tools"] == listed


@pytest.mark.parametrize("query", ["format=x", "format=", "format=mcp&format=mcp"])
def test_another_format_is_refused_by_naming_the_right_ones(http, query) -> None:
    answered = http.get(f"/api/v1/tools?{query}", headers={"Accept-Language": "en"})
    error = answered.json()["errors"][0]
    assert (answered.status_code, error["campo"], error["code"]) == (422, "format", "invalid_value")
    assert all(form in error["detail"] for form in FORMATS)


def test_the_skill_file_has_its_front_matter(http) -> None:
    _, front, body = http.get("/SKILL.md").text.split("---\n", 2)
    fields = dict(line.split(": ", 1) for line in front.splitlines())
    assert fields["name"] == "brskills"
    assert 20 < len(fields["description"]) <= 1024
    assert body.strip().startswith("# ")
