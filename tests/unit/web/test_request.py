from ipaddress import ip_network

from hypothesis import assume, given
from hypothesis import strategies as st

from brskills_server.accounts.network_hash import parse_address
from brskills_server.web.request import Request, preferred_language
from tests.for_each import for_each

BARE = {"httpMethod": "GET", "resource": "/"}


def request(peer: str = "192.0.2.1", **headers: str) -> Request:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return Request({**BARE, "headers": sent, "requestContext": {"identity": {"sourceIp": peer}}})


def test_an_event_may_lack_nearly_everything() -> None:
    bare = Request({**BARE, "headers": None, "requestContext": None, "body": None})
    assert bare.headers == bare.query == bare.path_parameters == bare.authorizer == {}
    assert bare.body == b""
    assert (bare.language, bare.id, bare.client_address([])) == ("pt", "", "")


def test_header_names_have_no_case_and_doubles_are_joined() -> None:
    many = {"Accept": ["a", "b"], "X-Y": ["z"], "Cookie": ["c=1", "d=2"]}
    made = Request({**BARE, "headers": {"Accept": "b"}, "multiValueHeaders": many})
    assert made.headers == {"accept": "a, b", "x-y": "z", "cookie": "c=1; d=2"}


def test_halves_of_surrogate_pairs_in_a_query_are_not_repeated() -> None:
    one, many = {"\ud800": "é\udfff"}, {"n\ud800": ["\ud83d\ude00", "é"]}
    made = Request({**BARE, "queryStringParameters": one, "multiValueQueryStringParameters": many})
    assert made.query == {"?": ["é?"], "n?": ["??", "é"]}


@for_each(
    ("accept", "chosen"),
    [
        ("image/PNG", "image/png"),
        ("image/svg+xml;q=0.1, image/png", "image/png"),
        ("text/plain ; q=0.9,image/png;q=0.5", "text/plain"),
        ("image/png, text/plain", "image/png"),
        ("text/plain, image/png", "text/plain"),
        ("image/webp, image/png;q=0.2", "image/png"),
        ("image/png;q=0, image/*;q=0.3", "image/svg+xml"),
        ("image/png;level=1;q=0.4, */*;q=0.3", "image/png"),
        ("image/png;q=0.2, */*;q=0.3", "application/json"),
        ("image/png;q=0", "application/json"),
        ("image/png;q=x", "application/json"),
        ("image/png;q=1.5", "application/json"),
        ("image/png;quality=1;q=1.000", "image/png"),
        ("text/html", "application/json"),
        ("*/*", "application/json"),
        ("", "application/json"),
        (",,", "application/json"),
    ],
)
def test_the_type_with_the_greatest_weight_is_chosen(accept, chosen) -> None:
    offered = ["application/json", "text/plain", "image/svg+xml", "image/png"]
    assert request(accept=accept).accepted_of(offered) == chosen


@for_each(
    ("peer", "forwarded", "trusted", "address"),
    [
        ("192.0.2.1", "", "", "192.0.2.1"),
        ("192.0.2.1", "198.51.100.7", "", "192.0.2.1"),  # nobody is believed by default
        ("192.0.2.1", "198.51.100.7, 192.0.2.1", "192.0.2.0/24", "198.51.100.7"),
        ("192.0.2.1", "198.51.100.7", "192.0.2.1", "198.51.100.7"),
        ("192.0.2.1", "203.0.113.9, 198.51.100.7, 192.0.2.2, 192.0.2.1", "192.0.2.0/24", "198.51.100.7"),
        ("192.0.2.1", "192.0.2.1", "192.0.2.0/24", "192.0.2.1"),
        ("2001:db8::1", "198.51.100.7", "2001:db8::/32", "198.51.100.7"),
        ("192.0.2.1", "192.0.2.2:4711, 192.0.2.1", "192.0.2.0/24", "192.0.2.2:4711"),
        ("192.0.2.1", "198.51.100.7, 192.0.2.2:4711, 192.0.2.1", "192.0.2.0/24", "198.51.100.7"),
        ("192.0.2.1", "nonsense, 192.0.2.1", "192.0.2.0/24", "192.0.2.1"),
        ("192.0.2.1", "nonsense", "192.0.2.0/24", "192.0.2.1"),
        # Nothing left of it counts either: the caller may have written all of it.
        ("192.0.2.1", "198.51.100.7, unknown, 192.0.2.2, 192.0.2.1", "192.0.2.0/24", "192.0.2.2"),
    ],
)
def test_only_trusted_proxies_are_believed(peer, forwarded, trusted, address) -> None:
    networks = [ip_network(network) for network in trusted.split(",") if network]
    assert request(peer, x_forwarded_for=forwarded).client_address(networks) == address


@given(st.text(), st.text(min_size=1))
def test_what_is_no_address_gives_nobody_another_one(left, garbage) -> None:
    assume(garbage.strip() and "," not in garbage and parse_address(garbage) is None)
    made = request("192.0.2.1", x_forwarded_for=f"{left}, {garbage}, 192.0.2.1")
    assert made.client_address([ip_network("192.0.2.0/24")]) == "192.0.2.1"


@given(st.text())
def test_no_language_header_upsets_it(header) -> None:
    assert preferred_language(header) in {"pt", "en"}


@for_each(
    ("header", "language"),
    [
        ("", "pt"), ("en", "en"), ("EN-gb", "en"), ("pt-BR,pt;q=0.9,en;q=0.8", "pt"),
        ("en;q=0.8,pt;q=0.9", "pt"),
        ("de, en;q=0.5", "en"), ("*", "pt"), ("en;q=0", "pt"), ("en;q=x", "pt"), ("de, en;Q=0.5", "en"),
    ],
)  # fmt: skip
def test_languages(header, language) -> None:
    assert preferred_language(header) == language


HTTPS = {"X-Forwarded-Proto": "https"}


@for_each(
    ("headers", "context", "base"),
    [
        ({"Host": "127.0.0.1:8000"}, {"path": "/llms.txt"}, "http://127.0.0.1:8000"),
        ({"Host": "x.example", **HTTPS}, {"path": "/v1/llms.txt"}, "https://x.example/v1"),
        ({"Host": "x.example", "X-Forwarded-Proto": "javascript"}, {}, "http://x.example"),
        ({"Host": "other"}, {"domainName": "api.example.com", "path": "/llms.txt"}, "http://api.example.com"),
        # A custom domain: API Gateway passes the requested path, without the stage.
        (HTTPS, {"domainName": "x.example", "path": "/llms.txt", "stage": "v1"}, "https://x.example"),
        (HTTPS, {"domainName": "x.example", "path": "/pix/llms.txt", "stage": "v1"}, "https://x.example/pix"),
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
def test_the_base_is_the_address_that_the_caller_used(headers, context, base) -> None:
    event = {**BARE, "resource": "/llms.txt", "headers": headers, "requestContext": context}
    assert Request(event).base_url == base
