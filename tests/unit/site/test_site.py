"""The site's function: what it sends, to whom, and for how long it may be kept."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from brskills_server.runtime.settings import Settings
from brskills_server.web.pages.standing import DEFAULTS, SiteConfig
from functions.site import app


def get(resource: str, address: str | None = None, file: str | None = None, **headers: str) -> dict:
    event = {
        "httpMethod": "GET",
        "resource": resource,
        "headers": {name.replace("_", "-"): value for name, value in headers.items()},
        "pathParameters": {"file": file} if file else None,
        "requestContext": {"requestId": "r-1", "path": address or resource},
    }
    return app.handler(event, None)


def static(file: str, **headers: str) -> dict:
    return get("/static/{file+}", file=file, **headers)


@pytest.mark.parametrize(("address", "language"), [("/", "pt-BR"), ("/en", "en"), ("/reference", "pt-BR")])
def test_pages_come_with_a_policy_and_are_revalidated(address, language):
    answer = get(address)
    assert answer["statusCode"] == 200
    assert f'<html lang="{language}">' in answer["body"]
    assert answer["headers"]["Cache-Control"] == "no-cache"
    assert answer["headers"]["Content-Security-Policy"].startswith("default-src 'none'; script-src 'self';")
    assert answer["headers"]["X-Request-Id"] == "r-1"


def test_the_page_allows_no_inline_code_at_all():
    policy = get("/")["headers"]["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "http" not in policy


def test_a_page_that_is_known_is_not_sent_again():
    etag = get("/")["headers"]["ETag"]
    again = get("/", If_None_Match=f'"other", W/{etag}')
    assert (again["statusCode"], again["body"]) == (304, "")
    assert again["headers"]["ETag"] == etag
    assert get("/", if_none_match='"other"')["statusCode"] == 200


def test_files_of_this_version_are_kept_for_good():
    answer = static(f"{app.VERSION}/main.js")
    assert answer["statusCode"] == 200
    assert answer["headers"]["Content-Type"] == "text/javascript; charset=utf-8"
    assert answer["headers"]["Cache-Control"] == "public, max-age=31536000, immutable"


def test_an_old_page_gets_todays_file_and_does_not_keep_it():
    answer = static("000000000000/main.js")
    assert answer["statusCode"] == 200
    assert answer["headers"]["Cache-Control"] == "no-cache"


@pytest.mark.parametrize(
    "file", ["main.js", "x/none.js", "x/../app.py", "x/../../app.py", "x//etc/passwd", "x/", "x/page.html"]
)
def test_anything_else_is_a_problem(file):
    answer = static(file, Accept_Language="en")
    assert answer["statusCode"] == 404
    assert answer["headers"]["Content-Type"] == "application/problem+json"
    problem = json.loads(answer["body"])
    assert (problem["code"], problem["title"], problem["request_id"]) == (
        "not_found",
        "Route not found",
        "r-1",
    )


@pytest.mark.parametrize(
    ("address", "base"), [("/", None), ("/v1/", None), ("/v1", "v1/"), ('/a"b', "a&quot;b/"), ("", None)]
)
def test_without_the_slash_after_a_stage_links_are_told_where_they_stand(address, base):
    body = get("/", address=address)["body"]
    assert ("<base" in body) == (base is not None)
    if base:
        assert f'<base href="{base}">' in body


@pytest.mark.parametrize("address", ["/", "/en", "/reference"])
def test_a_page_names_the_address_that_it_was_asked_for_at(address):
    named = '<link rel="canonical" href="https://x.example/v1{0}"><meta property="og:url" content="https://x.example/v1{0}">'
    there = {"Host": "x.example", "X-Forwarded-Proto": "https"}
    answer = get(address, address=f"/v1{address}", **there)
    assert named.format(address) in answer["body"]
    assert answer["headers"]["Vary"] == "Host, X-Forwarded-Proto"
    other = get(address, address=f"/v1{address}", **{**there, "Host": "y.example"})
    assert other["headers"]["ETag"] != answer["headers"]["ETag"]
    assert "x.example" not in other["body"]


@pytest.mark.parametrize("host", ['x"><script>', "user@x.example", "", "x.example:0"])
def test_what_is_not_a_host_is_named_nowhere(host):
    assert get("/", Host=host)["body"] == get("/")["body"]
    assert "canonical" not in get("/")["body"]


@pytest.mark.parametrize(("address", "locale", "other"), [("/", "pt_BR", "en_US"), ("/en", "en_US", "pt_BR")])
def test_who_shares_the_page_shows_what_it_is(address, locale, other):
    body = get(address)["body"]
    told = dict(re.findall(r'<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]+)">', body))
    assert told.pop("og:title") == re.search("<title>(.+)</title>", body)[1]
    assert told.pop("og:description") == re.search('name="description" content="([^"]+)"', body)[1]
    assert told == {
        "og:type": "website",
        "og:locale": locale,
        "og:locale:alternate": other,
        "twitter:card": "summary",
    }


@pytest.mark.parametrize(
    ("query", "language"), [(None, "pt-BR"), ({"lang": "en"}, "en"), ({"lang": "fr"}, "pt-BR")]
)
def test_the_reference_comes_in_the_language_that_its_address_asks_for(query, language):
    event = {"httpMethod": "GET", "resource": "/reference", "queryStringParameters": query}
    assert f'<html lang="{language}">' in app.handler(event, None)["body"]


def test_a_page_with_a_base_has_a_validator_of_its_own():
    assert get("/", address="/v1")["headers"]["ETag"] != get("/", address="/v1/")["headers"]["ETag"]


def test_the_defaults_are_those_of_every_function():
    settings = Settings.from_environment({})
    assert {
        "DEMO_API_KEY": settings.demo_api_key,
        "DEMO_MONTHLY_LIMIT": str(settings.demo_monthly_limit),
        "SIGNUPS_PER_DAY": str(settings.signups_per_day),
        "SIGNUPS_PER_MONTH": str(settings.signups_per_month),
        "PROJECT_URL": settings.project_url,
        "SUPPORT_URL": settings.support_url,
        "PRIVACY_URL": settings.privacy_url,
        "TERMS_URL": settings.terms_url,
        "SLA_URL": settings.sla_url,
        "CONTACT_EMAIL": settings.contact_email,
        "STRIPE_PRICE_PRO": settings.price_pro,
        "OPENAI_APPS_CHALLENGE": settings.openai_apps_challenge,
    } == DEFAULTS


@pytest.mark.parametrize("name", ["SIGNUPS_PER_DAY", "SIGNUPS_PER_MONTH", "DEMO_MONTHLY_LIMIT"])
@pytest.mark.parametrize("value", ["abc", "-1", "5.5", "\uff15"])
def test_a_number_that_cannot_be_is_told_by_its_name(name, value):
    with pytest.raises(ValueError, match=name):
        SiteConfig.of({name: value})


def test_importing_is_cheap_and_the_deployment_names_its_demo_key():
    script = (
        "import sys\n"
        "from functions.site.app import PAGES\n"
        "slow = {'pydantic', 'boto3', 'aws_lambda_powertools', 'access', 'brskills_server.web.request'}\n"
        "assert not slow & sys.modules.keys()\n"
        "for page in PAGES.values():\n"
        "    assert 'brsk_demo&quot;&lt;' in page.body\n"
        "assert ' 7 chamadas' in PAGES['/'].body\n"
    )
    environment = {"DEMO_API_KEY": 'brsk_demo"<', "DEMO_MONTHLY_LIMIT": "7", "PYTHONPATH": "layers/shared:."}
    subprocess.run([sys.executable, "-c", script], check=True, env=environment)


def test_a_directory_sees_whose_domain_it_is_by_the_word_alone_and_where_one_is_set():
    path = "/.well-known/openai-apps-challenge"
    assert get(path)["statusCode"] == 404
    script = (
        "from functions.site import app\n"
        f"event = {{'httpMethod': 'GET', 'resource': {path!r}}}\n"
        "print(app.handler(event, None)['body'], end='')\n"
    )
    environment = {"OPENAI_APPS_CHALLENGE": "aZ9-_<word>", "PYTHONPATH": "layers/shared:."}
    said = subprocess.run([sys.executable, "-c", script], check=True, env=environment, capture_output=True)
    assert said.stdout == b"aZ9-_<word>"
