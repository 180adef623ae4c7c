"""Accepted e-mail addresses."""

import shlex

from hypothesis import given
from hypothesis import strategies as st

from brskills_server.accounts.email_address import is_plain_address
from tests.for_each import for_each

ALPHABET = "aB9._+-@$`'\"();|&<>*?[]{}~!#%^=\\/ \n\té\u202e"


@for_each(
    "address",
    [
        "dev@exemplo.com.br",
        "Maria.da_Silva+nf-e@sub.exemplo-1.com.br",
        "_@x.co",
        "a@x.xn--p1ai",
        "9@1.example",
    ],
)
def test_plain_addresses(address: str) -> None:
    assert is_plain_address(address)


@for_each("sign", [*"$`'\"();|&<>*?[]{}~!#%^=\\/:, \n\t\r\0é\u202e\u200b"])
def test_other_characters_are_rejected(sign: str) -> None:
    for address in (f"a{sign}b@exemplo.com.br", f"a@exem{sign}plo.com.br", f"a@exemplo.com.br{sign}"):
        assert not is_plain_address(address)


@for_each(
    "address",
    ["", "a", "a@x", "@x.br", "-a@x.br", ".a@x.br", "+a@x.br", "a@-x.br", "a@x..br", "a@x.1", "a@b@x.br"],
)
def test_invalid_addresses(address: str) -> None:
    assert not is_plain_address(address)
    assert not is_plain_address("a" * 65 + "@x.br")
    assert not is_plain_address(f"a@{'x.' * 130}br")


@given(st.text(ALPHABET, max_size=6), st.text(ALPHABET, max_size=6))
def test_one_word_of_a_shell_and_no_option(name: str, host: str) -> None:
    address = f"{name}@{host}.br"
    if is_plain_address(address):
        assert shlex.quote(address) == address
        assert not address.startswith("-")
