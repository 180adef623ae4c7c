import pytest
from hypothesis import given
from hypothesis import strategies as st

from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.sources.address import read_address
from tests.for_each import for_each

OPEN = "https://arquivos.example/public.php/dav/files/aToken/"


@for_each(
    ("given", "url", "user"),
    [
        ("https://arquivos.example/index.php/s/aToken", OPEN, None),
        ("https://arquivos.example/s/aToken/download", OPEN, None),
        ("https://arquivos.example/s/aToken?dir=/Dados/Cadastros/CNPJ", f"{OPEN}Dados/Cadastros/CNPJ/", None),
        ("https://arquivos.example/s/aToken?path=%2Fa%20b%2F%C3%A7", f"{OPEN}a%20b/%C3%A7/", None),
        ("https://arquivos.example/cloud/index.php/s/aToken", OPEN.replace("/public", "/cloud/public"), None),
        ("https://arquivos.example:8443/s/aToken#x", OPEN.replace("example", "example:8443"), None),
        (OPEN.rstrip("/"), OPEN, None),
        ("https://h.example/public.php/webdav", "https://h.example/public.php/webdav/", None),
        (
            "https://aToken@h.example/public.php/webdav/",
            "https://h.example/public.php/webdav/",
            ("aToken", ""),
        ),
        ("http://who:p%40ss@h.example", "http://h.example/", ("who", "p@ss")),
    ],
)
def test_every_form_leads_to_a_webdav_folder(given: str, url: str, user: tuple[str, str] | None) -> None:
    address = read_address(given)
    assert (str(address.url), address.user) == (url, user)


@for_each(
    ("source", "reason"),
    [
        *((source, "address") for source in ("ftp://h.example/", "http:///x", "https://h.example:99999/")),
        *((source, "address") for source in ("http://[::1", "x://\n", "http://xn--a.br/")),
        ("https://h.example/s/aToken?dir=/../other", r"must not contain \. or \.\."),
    ],
)
def test_other_addresses_are_rejected(source: str, reason: str) -> None:
    with pytest.raises(SnapshotError, match=reason):
        read_address(source)


@given(st.text())
def test_no_message_contains_the_user_of_an_address(text: str) -> None:
    try:
        shown = repr(read_address(f"https://who:secret@{text}"))
    except SnapshotError as error:
        shown = str(error)
    assert "secret" not in shown
