from hypothesis import given
from hypothesis import strategies as st

from brskills_server.web.request import Request
from brskills_server.web.signin.csrf import cookie_for, find_mismatch, secret_of, token_for

BASE = "https://api.example/v1"
SECRET = "s" * 43


def sent(**headers: str) -> Request:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Request({"httpMethod": "POST", "resource": "/oauth/authorize", "headers": named})


def test_the_secret_is_found_among_other_cookies_however_strange() -> None:
    for others in ("a=b; ", 'x={"y": [1]}; ', "=; ;", "a=b, c; ", "\u00e9=1; ", "a=b;"):
        assert secret_of(sent(Cookie=f"{others}__Host-brskills={SECRET}; z"), BASE) == SECRET
    for cookie in ("", "__Host-brskills=short", f"brskills={SECRET}", f"x__Host-brskills={SECRET}"):
        assert secret_of(sent(Cookie=cookie), BASE) is None


def test_cookies_of_two_headers_are_cookies_of_one() -> None:
    event = {
        "httpMethod": "GET",
        "resource": "/",
        "multiValueHeaders": {"Cookie": ["a=b", f"__Host-brskills={SECRET}"]},
    }
    assert secret_of(Request(event), BASE) == SECRET


def test_a_cookie_that_a_neighbouring_host_may_set_is_ignored() -> None:
    """The prefix keeps other hosts out only if it is the name's very beginning, as browsers see it."""
    for cookie in ("a=b, {}", "a=b,{}", "a={}", "\u0085{}", "\u00a0{}", "\u2000{}", "\x1f{}"):
        assert secret_of(sent(Cookie=cookie.format(f"__Host-brskills={SECRET}")), BASE) is None


def test_a_secret_that_is_there_is_kept() -> None:
    assert cookie_for(SECRET, BASE)[0] == SECRET
    assert cookie_for(None, BASE)[0] != cookie_for(None, BASE)[0]


@given(st.dictionaries(st.text(), st.text()), st.dictionaries(st.text(), st.text()))
def test_a_token_is_for_one_request(one: dict[str, str], other: dict[str, str]) -> None:
    assert (token_for(SECRET, one) == token_for(SECRET, other)) == (one == other)


def test_another_secret_gives_another_token() -> None:
    asked = {"client_id": "a"}
    cookie = f"__Host-brskills={SECRET}"
    request = sent(Cookie=cookie, Sec_Fetch_Site="same-origin")
    assert find_mismatch(request, BASE, asked, token_for(SECRET, asked)) == ""
    assert find_mismatch(request, BASE, asked, token_for("t" * 43, asked)) == "token"


def test_a_missing_proof_is_named() -> None:
    asked = {"client_id": "a"}
    token = token_for(SECRET, asked)
    cookie = f"__Host-brskills={SECRET}"
    assert find_mismatch(sent(Cookie=cookie), BASE, asked, token) == "Origin or Sec-Fetch-Site"
    for site in ("cross-site", "same-site", "none"):
        headers = {"Cookie": cookie, "Sec_Fetch_Site": site, "Origin": "https://api.example"}
        assert find_mismatch(sent(**headers), BASE, asked, token) == "Origin or Sec-Fetch-Site"
    for origin in ("https://x.example", "null", "https://api.example.mau.example", "http://api.example"):
        assert find_mismatch(sent(Cookie=cookie, Origin=origin), BASE, asked, token) != ""
    assert find_mismatch(sent(Cookie=cookie, Origin="https://api.example"), BASE, asked, token) == ""
    assert find_mismatch(sent(Sec_Fetch_Site="same-origin"), BASE, asked, token) == "cookie"
    assert find_mismatch(sent(Cookie=cookie, Sec_Fetch_Site="same-origin"), BASE, asked, "") == "token"


def test_no_two_requests_are_written_alike() -> None:
    assert token_for(SECRET, {"a": "b", "c": "d"}) != token_for(SECRET, {"a": "b\0c\0d"})
