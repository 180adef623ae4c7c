from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.sources.listing import Folder, Listed, read_listing
from tests.for_each import for_each


def listing(*responses: str) -> bytes:
    return f'<?xml version="1.0"?><a:multistatus xmlns:a="DAV:">{"".join(responses)}</a:multistatus>'.encode()


def response(
    href: str, found: str = "<a:resourcetype><a:collection/></a:resourcetype>", absent: str = ""
) -> str:
    return (
        f"<a:response><a:href>{href}</a:href><a:propstat><a:prop>{absent}</a:prop>"
        "<a:status>HTTP/1.1 404 Not Found</a:status></a:propstat>"
        f"<a:propstat><a:prop>{found}</a:prop><a:status>HTTP/1.1 200 OK</a:status></a:propstat></a:response>"
    )


def a_file(href: str, size: str = "12", etag: str = '"x"') -> str:
    return response(href, f"<a:getcontentlength>{size}</a:getcontentlength><a:getetag>{etag}</a:getetag>")


@for_each("base", ["/", "/public.php/webdav/", "/a%20b", "https://h.example/x/"])
def test_files_and_folders_directly_in_a_folder_are_read(base: str) -> None:
    inside = base.rstrip("/") + "/"
    body = listing(
        response(base),
        response(f"{inside}2026-10/"),
        a_file(f"{inside}2026-10/Simples.zip"),  # deeper than asked
        a_file(f"{inside}Cnaes.zip"),
        a_file(f"{inside}a%2Fb.zip"),
        a_file(f"{inside}..%2F..%2Fetc.zip"),
        a_file(f"{inside}%c3%a7%FF.zip"),
    )
    folder = read_listing(body)
    assert {*folder.files} == {"Cnaes.zip", "ç\ufffd.zip"}
    assert "2026-10" in folder.folders
    assert folder.files["Cnaes.zip"] == Listed(12, '"x"', None)


def test_properties_that_were_not_found_are_missing() -> None:
    body = listing(
        response("/s/"),
        response(
            "/s/Cnaes.zip",
            "<a:getcontentlength> 7 </a:getcontentlength><a:getlastmodified>Sat, 21</a:getlastmodified>",
            "<a:getetag/><a:getcontentlength/>",
        ),
    )
    assert read_listing(body) == Folder({"Cnaes.zip": Listed(7, None, "Sat, 21")}, frozenset())


@for_each(
    "body",
    [
        b"",
        b"<a/>",
        b"\xff\xfe<\x00",
        b'<?xml version="1.0" encoding="utf-16"?>\xff',
        listing(),
        listing("<a:response/>").replace(b"DAV:", b"other"),
        listing(response("/s/"), a_file("/s/a.zip", "-1")),
        listing(response("/s/"), a_file("/s/a.zip", "1e9")),
        listing(response("/s/"), a_file("/s/a.zip", "9" * 16)),
        listing(response("/s/"), a_file("/s/a.zip", "٣")),
        listing(response("/s/"), response("/s/a.zip", "<a:getetag>x</a:getetag>")),
        listing(response("http://[/")),
        b'<!DOCTYPE m [<!ENTITY e "12">]>'
        + listing(response("/s/"), a_file("/s/a.zip", "&e;")).split(b"?>")[1],
    ],
)
def test_what_is_not_a_listing_is_refused(body: bytes) -> None:
    with pytest.raises(SnapshotError, match="not a WebDAV listing"):
        read_listing(body)


def test_however_deep_it_is_read_or_refused() -> None:
    with pytest.raises(SnapshotError):
        read_listing(b"<a>" * 200_000)
    deep = "<a:x>" * 100_000 + "</a:x>" * 100_000
    assert read_listing(listing(response("/s/"), deep)).files == {}


@given(st.binary())
def test_any_bytes_are_a_listing_or_refused(body: bytes) -> None:
    for whole in (body, listing(body.decode("latin-1"))):
        with suppress(SnapshotError):
            assert isinstance(read_listing(whole), Folder)


def test_only_a_strong_tag_or_a_date_names_a_version() -> None:
    tags = ('"x"', 'W/"x"', None)
    assert [Listed(1, etag, "Sat").validator for etag in tags] == ['"x"', "Sat", "Sat"]
    assert [Listed(1, etag, None).validator for etag in tags] == ['"x"', None, None]
