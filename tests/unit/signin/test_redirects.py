from hypothesis import example, given
from hypothesis import strategies as st

from brskills_server.web.signin.redirects import destination_of, is_same, with_parameters, without_port
from tests.services.sign_in import parameters_of

LETTERS = st.text('abA01.-:/?#@%\\[]&= \n"<', max_size=40)


REGISTERED = "https://assistente.example/retorno"
OTHERS = """
https://assistente.example/retorno/ https://assistente.example/retorn https://assistente.example/retorno2
https://assistente.example/retorno?a=b https://assistente.example/retorno#a
https://assistente.example/RETORNO https://assistente.example/x/../retorno
https://assistente.example//retorno https://assistente.example/%72etorno https://ASSISTENTE.example/retorno
https://assistente.example:8443/retorno https://assistente.example:443/retorno
https://assistente.example@mau.example/retorno https://mau@assistente.example/retorno
https://assistente.example.mau.example/retorno http://assistente.example/retorno
//assistente.example/retorno /retorno javascript:alert(1) data:text/html,a https://mau.example/
http://127.0.0.1/retorno https://assistente.example\\@mau.example/retorno
"""
OTHERS_ON_LOOPBACK = """
http://127.0.0.1:4000/outro http://localhost:4000/cb http://[::1]:4000/cb
http://127.0.0.1.mau.example:4000/cb http://127.0.0.1:4000@mau.example/cb http://127.0.0.1:99999/cb
http://127.0.0.1:/cb https://127.0.0.1:4000/cb http://127.0.0.2:4000/cb
"""
INVALID = """
javascript:alert(1) JavaScript:alert(1) data:text/html,a vbscript:a file:///etc/passwd
blob:https://a.example/1 about:blank http://assistente.example/cb https://a.example/cb#fragment
https://a@b.example/cb https://a.example/../cb https://a.example/%2e%2e/cb https://a.example:99999/cb
https://a.example\\@b.example/ https://a.example/"><script> https:///cb https://*.example/cb
HTTPS://a.example/cb intent:a
"""


def test_only_the_port_on_loopback_may_differ_from_the_registered_address() -> None:
    assert is_same(REGISTERED, REGISTERED)
    for address in [*OTHERS.split(), "", f"{REGISTERED} https://mau.example/", f"{REGISTERED}\n"]:
        assert not is_same(REGISTERED, address), address
    assert is_same("http://127.0.0.1/cb", "http://127.0.0.1:4000/cb")
    for address in OTHERS_ON_LOOPBACK.split():
        assert not is_same("http://127.0.0.1/cb", address), address


def test_an_invalid_address_has_no_destination() -> None:
    for address in [*INVALID.split(), "", "https://a.example/ b", "https://a.example/" + "b" * 1000]:
        assert destination_of(address) is None, address


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
