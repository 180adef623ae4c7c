from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from brskills_server.web.signin.redirects import destination_of, is_same, with_parameters, without_port
from tests.services.sign_in import parameters_of

LETTERS = st.text('abA01.-:/?#@%\\[]&= \n"<', max_size=40)


def test_each_kind_is_named_for_what_it_is() -> None:
    web = destination_of("https://a.example:8443/cb?x=y")
    assert web is not None
    assert (web.kind, web.name, web.source) == ("web", "a.example:8443", "https:")
    here = destination_of("http://127.0.0.1:4000/cb")
    assert here is not None
    assert (here.kind, here.name, here.source) == ("loopback", "127.0.0.1:4000", "http://127.0.0.1:4000")
    six = destination_of("http://[::1]:4000/cb")
    assert six is not None
    assert (six.kind, six.name, six.source) == ("loopback", "[::1]:4000", "http:")
    own = destination_of("com.example.app:/cb")
    assert own is not None
    assert (own.kind, own.name, own.source) == ("program", "com.example.app:", "com.example.app:")


@given(st.sampled_from(["https://", "http://127.0.0.1", "http://", "com.example:", ""]), LETTERS)
@example("https://", "a.example/cb")
def test_an_address_that_is_taken_leads_where_its_name_says(start: str, rest: str) -> None:
    """Held against another reader of addresses, as a browser is one."""
    from urllib.parse import urlsplit

    address = start + rest
    found = destination_of(address)
    if found is None:
        return
    read = urlsplit(address)
    assert read.fragment == ""
    if found.kind == "program":
        assert found.name == f"{read.scheme}:"
        assert read.scheme not in {"http", "https", "javascript", "data"}
        return
    assert read.netloc == found.name
    assert read.username is None
    assert read.scheme == ("https" if found.kind == "web" else "http")
    assert not set(found.source) & set(" ;,'\"")


@given(LETTERS, LETTERS)
def test_what_is_the_same_is_the_same_but_for_a_port_on_loopback(one: str, other: str) -> None:
    for start in ("https://a.example/", "http://127.0.0.1"):
        registered, asked = start + one, start + other
        if is_same(registered, asked):
            assert without_port(registered) == without_port(asked)
            assert registered == asked or start == "http://127.0.0.1"


@given(st.dictionaries(st.sampled_from(["code", "state", "iss"]), st.text(min_size=1), min_size=1))
def test_parameters_come_behind_those_that_are_there(parameters: dict[str, str]) -> None:
    for address in ("https://a.example/cb", "https://a.example/cb?a=b%20c"):
        made = with_parameters(address, parameters)
        assert made.startswith(address)
        told = parameters_of(made)
        assert {name: told[name] for name in parameters} == parameters
