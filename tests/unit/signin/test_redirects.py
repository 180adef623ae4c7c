from hypothesis import example, given
from hypothesis import strategies as st

from brskills_server.web.signin.redirects import destination_of, is_same, with_parameters, without_port
from tests.services.sign_in import parameters_of

LETTERS = st.text('abA01.-:/?#@%\\[]&= \n"<', max_size=40)


def test_each_kind_has_its_name_and_source() -> None:
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
def test_an_accepted_address_leads_to_its_name(start: str, rest: str) -> None:
    """Compare with another parser of addresses."""
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
def test_equal_addresses_differ_at_most_in_the_port_on_loopback(one: str, other: str) -> None:
    for start in ("https://a.example/", "http://127.0.0.1"):
        registered, asked = start + one, start + other
        if is_same(registered, asked):
            assert without_port(registered) == without_port(asked)
            assert registered == asked or start == "http://127.0.0.1"


@given(st.dictionaries(st.sampled_from(["code", "state", "iss"]), st.text(min_size=1), min_size=1))
def test_parameters_are_appended(parameters: dict[str, str]) -> None:
    for address in ("https://a.example/cb", "https://a.example/cb?a=b%20c"):
        made = with_parameters(address, parameters)
        assert made.startswith(address)
        found = parameters_of(made)
        assert {name: found[name] for name in parameters} == parameters
