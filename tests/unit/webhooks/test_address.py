"""Which addresses webhooks may have."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from brskills_server.webhooks.address import INVALID, PRIVATE, find_fault
from tests.for_each import for_each

PUBLIC = [
    "https://erp.example.com",
    "https://erp.example.com/",
    "https://erp.example.com:443/brskills?id=7&x=%C3%A9",
    "HTTPS://ERP.Example.COM.BR/a",
    "https://xn--mnchen-3ya.example/",
    f"https://{'a' * 63}.example/",
]
HERE = [
    "http://127.0.0.1:8000/hook",
    "https://127.8.9.250/",
    "http://localhost",
    "http://LOCALHOST:1/a?b",
    "http://[::1]:65535/",
]
PRIVATE_ONES = [
    *HERE,
    "https://localhost./",
    "https://erp/",
    "https://erp:8443/",
    "https://2130706433/",
    "https://printer.local/",
    "https://a.localhost/",
    "https://db.internal/",
    "https://box.lan/",
    "https://x.home.arpa/",
    "https://X.HOME.ARPA./",
    "https://10.0.0.1/",
    "https://192.168.0.1:443/a",
    "https://169.254.169.254/latest/meta-data/",
    "https://user:pass@10.0.0.1/",
    "https://erp.example.com\\@10.0.0.1/",
    "https://[fd00::1]/",
    "https://[::ffff:10.0.0.1]/",
    "https://0.0.0.0/",
]
MALFORMED = [
    "",
    "erp.example.com",
    "//erp.example.com/",
    "http://erp.example.com/",
    "ftp://erp.example.com/",
    "javascript:alert(1)",
    "https://",
    "https:///a",
    "https://8.8.8.8/",
    "https://[2606:4700:4700::1111]/",
    "https://127.1/",
    "https://0x7f.0.0.1/",
    "https://user@erp.example.com/",
    "https://user:pass@erp.example.com/",
    "https://erp.example.com:8443/",
    "https://erp.example.com:80/",
    "https://erp.example.com/#a",
    "https://erp.example.com#a",
    "https://erp.example.com/a b",
    "https://erp.example.com/a\n",
    "https://erp.example.com./",
    "https://erp..example.com/",
    "https://-erp.example.com/",
    "https://münchen.example/",
    "https://\u017fite.example/",  # a long s is an s where case is ignored
    "https://erp.example.com/\u00e9",
    f"https://{'a' * 64}.example/",
    f"https://{'a.' * 130}example/",
    " https://erp.example.com/",
]


@for_each("address", PUBLIC)
def test_a_public_address_is_allowed_whatever_this_machine_is(address: str) -> None:
    assert {find_fault(address, allow_loopback=allow) for allow in (False, True)} == {None}


@for_each("address", HERE)
def test_this_machine_is_allowed_where_the_operator_wants_it(address: str) -> None:
    assert find_fault(address, allow_loopback=True) is None
    assert find_fault(address, allow_loopback=False) == PRIVATE


@for_each("address", PRIVATE_ONES)
def test_what_is_seen_to_be_private_is_refused(address: str) -> None:
    assert find_fault(address, allow_loopback=False) == PRIVATE
    if address not in HERE:
        assert find_fault(address, allow_loopback=True) == PRIVATE


@for_each("address", MALFORMED)
def test_what_is_no_such_address_is_refused(address: str) -> None:
    assert {find_fault(address, allow_loopback=allow) for allow in (False, True)} == {INVALID}


@for_each(
    "address",
    ["http://127.0.0.1:0/", "http://127.0.0.1:65536/", "http://127.0.0.256/", "http://localhost/#a",
     "http://user@localhost/", "http://localhost.example.com/", "http://1270.0.0.1/"],
)  # fmt: skip
def test_this_machine_is_written_as_it_is(address: str) -> None:
    assert find_fault(address, allow_loopback=True) in {INVALID, PRIVATE}


@given(st.text(max_size=60) | st.from_regex(r"https?://[a-z0-9.@:\[\]#/-]{0,40}"))
def test_only_a_domain_on_https_is_allowed(address: str) -> None:
    if find_fault(address, allow_loopback=False) is None:
        scheme, _, rest = address.lower().partition("://")
        host = rest.partition("/")[0].removesuffix(":443")
        assert scheme == "https"
        assert set(host) <= set("abcdefghijklmnopqrstuvwxyz0123456789.-")
        assert "." in host
        assert not host.rpartition(".")[2].isdigit()
