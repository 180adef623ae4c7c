"""What an event says of headers, query and peer."""

from __future__ import annotations

from typing import Any

from brskills_server.gateway.event import build_event
from brskills_server.web.request import Request
from tests.for_each import for_each


def event(
    headers: list[tuple[bytes, bytes]],
    query: bytes | None = None,
    body: bytes = b"",
    raw_path: bytes = b"/x",
    proxy: str = "",
) -> dict[str, Any]:
    scope = {
        "method": "GET",
        "path": "/x",
        "raw_path": raw_path,
        "query_string": query or b"",
        "target": raw_path if query is None else raw_path + b"?" + query,
        "headers": headers,
        "client": ("198.51.100.9", 4711),
    }
    return build_event(scope, body, "/x", {}, "id", {proxy}.__contains__)


def test_the_peer_is_the_connections_whatever_headers_say() -> None:
    forwarded = [(b"x-forwarded-for", b"192.0.2.1"), (b"x-forwarded-for", b"192.0.2.2, 192.0.2.3")]
    made = event([*forwarded, (b"forwarded", b"for=192.0.2.4"), (b"x-real-ip", b"192.0.2.5")])
    assert made["requestContext"]["identity"]["sourceIp"] == "198.51.100.9"
    assert made["headers"]["X-Forwarded-For"] == "192.0.2.1, 192.0.2.2, 192.0.2.3, 198.51.100.9"
    assert Request(made).client_address(()) == "198.51.100.9"


@for_each(("proxy", "base"), [("", "http://x"), ("198.51.100.8", "http://x"), ("198.51.100.9", "https://x")])
def test_only_a_trusted_proxy_says_that_a_connection_is_secure(proxy: str, base: str) -> None:
    made = event([(b"host", b"x"), (b"x-forwarded-proto", b"https")], proxy=proxy)
    assert Request(made).base_url == base


def test_a_doubled_header_is_there_twice_and_any_byte_is_kept() -> None:
    made = event([(b"accept-language", b"en"), (b"accept-language", b"\xe9"), (b"x_api_key", b"k")])
    assert made["headers"]["Accept-Language"] == "é"
    assert made["multiValueHeaders"]["Accept-Language"] == ["en", "é"]
    assert Request(made).headers["accept-language"] == "en, é"
    assert "X-Api-Key" not in made["headers"]  # an underscore is not a hyphen


def test_a_query_keeps_every_value() -> None:
    made = event([], b"a=1&a=2&b=&c=%C3%A9+x")
    assert made["queryStringParameters"] == {"a": "2", "b": "", "c": "é x"}
    assert made["multiValueQueryStringParameters"] == {"a": ["1", "2"], "b": [""], "c": ["é x"]}
    assert event([])["queryStringParameters"] is None


def test_a_body_that_is_not_text_travels_in_base64() -> None:
    assert Request(event([], body=b"\xff\x00")).body == b"\xff\x00"
    assert event([], body="é".encode())["body"] == "é"
    assert event([])["body"] is None


@for_each(
    ("raw_path", "query", "target"),
    [
        (b"/x", None, "/x"),
        (b"/x", b"", "/x?"),
        (b"/%78", b"idade_maxima=%36%30", "/%78?idade_maxima=%36%30"),
        (b"/x", b"b=2&a=1+1&b=%C3%A7&c", "/x?b=2&a=1+1&b=%C3%A7&c"),
    ],
)
def test_path_and_query_are_kept_as_sent(raw_path: bytes, query: bytes | None, target: str) -> None:
    assert Request(event([], query, raw_path=raw_path)).target == target


def test_a_query_that_comes_decoded_is_encoded_again_and_a_stage_is_left_out() -> None:
    made = event([], b"a=%C3%A7%20&b=1", raw_path=b"/v1/%78")
    del made["rawQueryString"]  # as API Gateway's events are
    assert Request(made).target == "/%78?a=%C3%A7%20&b=1"
    made["multiValueQueryStringParameters"] = made["queryStringParameters"] = None
    assert Request(made).target == "/%78"
