"""The site's function: pages and files with their headers, validators and addresses."""

import json
import re
from base64 import b64encode
from html import unescape

import pytest

from brcode.qr import qr_png, qr_svg
from functions.site import app
from tests.for_each import for_each
from tests.unit.site.serving import body_with, event, get, site_with


@pytest.mark.parametrize(
    ("address", "language"),
    [
        ("/", "pt-BR"),
        ("/en", "en"),
        ("/reference", "pt-BR"),
        ("/en/reference", "en"),
        ("/reference?lang=fr", "pt-BR"),
        ("/?lang=en", "pt-BR"),
        ("/pricing", "pt-BR"),
        ("/en/status", "en"),
        ("/docs", "pt-BR"),
        ("/en/docs", "en"),
    ],
)
def test_a_page_has_its_language_a_policy_and_is_revalidated(address, language):
    answer = get(address)
    assert answer["statusCode"] == 200
    assert f'<html lang="{language}">' in answer["body"]
    assert answer["headers"]["Content-Type"] == "text/html; charset=utf-8"
    assert answer["headers"]["Cache-Control"] == "no-cache"
    assert answer["headers"]["Content-Security-Policy"].startswith("default-src 'none'; script-src 'self';")
    assert answer["headers"]["X-Request-Id"] == "r-1"


def test_the_page_allows_no_inline_code_at_all():
    policy = get("/")["headers"]["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "http" not in policy


def test_a_page_that_the_caller_has_is_not_sent_again():
    etag = get("/")["headers"]["ETag"]
    again = get("/", If_None_Match=f'"other", W/{etag}')
    assert (again["statusCode"], again["body"]) == (304, "")
    assert again["headers"]["ETag"] == etag
    assert get("/", if_none_match='"other"')["statusCode"] == 200


@pytest.mark.parametrize(
    ("version", "cache"), [(app.VERSION, "public, max-age=31536000, immutable"), ("0" * 12, "no-cache")]
)
def test_files_of_this_version_alone_are_kept_for_good(version, cache):
    answer = get(f"/static/{version}/main.js")
    assert answer["statusCode"] == 200
    assert answer["headers"]["Content-Type"] == "text/javascript; charset=utf-8"
    assert answer["headers"]["Cache-Control"] == cache


@for_each(
    "file", ["main.js", "x/none.js", "x/../app.py", "x/../../app.py", "x//etc/passwd", "x/", "x/landing.html"]
)
def test_anything_else_is_a_problem(file):
    answer = get(f"/static/{file}", Accept_Language="en")
    assert answer["statusCode"] == 404
    assert answer["headers"]["Content-Type"] == "application/problem+json"
    problem = json.loads(answer["body"])
    assert (problem["code"], problem["request_id"]) == ("not_found", "r-1")


@for_each(("path", "base"), [("/", None), ("/v1/", None), ("/v1", "v1/"), ('/a"b', "a&#34;b/"), ("", None)])
def test_without_the_slash_after_a_stage_the_page_has_a_base(path, base):
    body = get("/", path=path)["body"]
    assert re.findall('<base href="([^"]*)">', body) == ([base] if base else [])


@for_each("address", ["/", "/en", "/reference", "/en/reference"])
def test_a_page_names_the_address_that_it_was_requested_at(address):
    named = '<link rel="canonical" href="https://x.example/v1{0}"><meta property="og:url" content="https://x.example/v1{0}">'
    there = {"Host": "x.example", "X-Forwarded-Proto": "https"}
    path = "/v1" + address.partition("?")[0]
    answer = get(address, path=path, **there)
    assert named.format(address) in answer["body"]
    assert answer["headers"]["Vary"] == "Host, X-Forwarded-Proto"
    other = get(address, path=path, **{**there, "Host": "y.example"})
    assert other["headers"]["ETag"] != answer["headers"]["ETag"]
    assert "x.example" not in other["body"]


@for_each("host", ['x"><script>', "user@x.example", "", "x.example:0"])
def test_what_is_not_a_host_is_in_no_page(host):
    assert get("/", Host=host)["body"] == get("/")["body"]
    assert "canonical" not in get("/")["body"]


def test_settings_are_escaped():
    settings = {
        "DEMO_API_KEY": 'brsk_demo"<',
        "DEMO_MONTHLY_LIMIT": "7",
        "PROJECT_URL": "https://x.example/?a&b",
    }
    for address in ("/", "/en", "/reference"):
        body = body_with(settings, address)
        assert "brsk_demo&#34;&lt;" in body
        assert 'brsk_demo"' not in body
        assert "x.example/?a&b" not in body
    assert "7 chamadas" in body_with(settings, "/pricing")


def test_a_directory_verifies_the_domain_by_the_configured_token():
    path = "/.well-known/openai-apps-challenge"
    assert get(path)["statusCode"] == 404
    answer = site_with({"OPENAI_APPS_CHALLENGE": "aZ9-_<word>"}).handler(event(path), None)
    assert answer["body"] == "aZ9-_<word>"
    assert answer["headers"]["Content-Type"] == "text/plain"


def test_the_example_is_shown_with_the_picture_of_its_code():
    body = get("/")["body"]
    example = json.loads(unescape(re.search(r'<code id="pix-answer">(.*?)</code>', body, re.DOTALL)[1]))
    picture = qr_svg(example["brcode"], example["qr_tamanho"], example["qr_margem"])
    assert b64encode(picture.encode()).decode().startswith(example["qr"].removesuffix("…"))
    shown = b64encode(qr_png(example["brcode"], 4)).decode()
    assert f'src="data:image/png;base64,{shown}"' in body
