from typing import Any

import pytest

from brskills_server.web.request import Request


@pytest.mark.parametrize(
    ("headers", "context", "base"),
    [
        ({"Host": "127.0.0.1:8000"}, {"path": "/llms.txt"}, "http://127.0.0.1:8000"),
        (
            {"Host": "x.example", "X-Forwarded-Proto": "https"},
            {"path": "/v1/llms.txt"},
            "https://x.example/v1",
        ),
        ({"Host": "x.example", "X-Forwarded-Proto": "javascript"}, {}, "http://x.example"),
        ({"Host": "other"}, {"domainName": "api.example.com", "path": "/llms.txt"}, "http://api.example.com"),
        # A custom domain: API Gateway passes the requested path, without the stage.
        (
            {"Host": "api.example.com", "X-Forwarded-Proto": "https"},
            {"domainName": "api.example.com", "path": "/llms.txt", "stage": "v1"},
            "https://api.example.com",
        ),
        (
            {"Host": "example.com", "X-Forwarded-Proto": "https"},
            {"domainName": "example.com", "path": "/pix/llms.txt", "stage": "v1"},
            "https://example.com/pix",
        ),
        ({"Host": "[::1]:8000"}, {"path": "/llms.txt"}, "http://[::1]:8000"),
        ({"Host": 'x"><script>'}, {"path": "/v1/llms.txt"}, "/v1"),
        ({"Host": "user@x.example"}, {"path": "/llms.txt"}, ""),
        ({}, {}, ""),
        ({"Host": "[:::::]"}, {"path": "/v1/llms.txt"}, "/v1"),
        ({"Host": "[1.2.3.4]"}, {}, ""),
        ({"Host": "x.example:65536"}, {}, ""),
        ({"Host": "x.example:0"}, {}, ""),
    ],
)
def test_the_base_is_where_the_caller_stands(
    headers: dict[str, str], context: dict[str, Any], base: str
) -> None:
    event = {"httpMethod": "GET", "resource": "/llms.txt", "headers": headers, "requestContext": context}
    assert Request(event).base_url == base
