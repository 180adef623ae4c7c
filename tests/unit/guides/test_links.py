"""Addresses of links in guides."""

import pytest

from guides.links import Unfit, address_of

GUIDES = {"keys", "stores"}


@pytest.mark.parametrize(
    ("link", "address"),
    [
        ("keys.md", "keys{{ query }}"),
        ("keys.md#closed", "keys{{ query }}#closed"),
        ("../docs/stores.md", "stores{{ query }}"),
        ("#closed", "#closed"),
        ("https://a.example/keys.md", "https://a.example/keys.md"),
        ("figures.md", "{{ project_url.rstrip('/') }}/blob/main/docs/figures.md"),
        ("decisions/README.md", "{{ project_url.rstrip('/') }}/blob/main/docs/decisions/README.md"),
        ("../README.md#settings", "{{ project_url.rstrip('/') }}/blob/main/README.md#settings"),
        ("../examples", "{{ project_url.rstrip('/') }}/tree/main/examples"),
    ],
)
def test_guides_lead_to_guides_and_other_files_to_the_project(link: str, address: str) -> None:
    assert address_of(link, GUIDES) == address


@pytest.mark.parametrize("link", ["nowhere.md", "../../", "javascript:alert(1)", "keys"])
def test_a_link_that_leads_nowhere_is_refused(link: str) -> None:
    with pytest.raises(Unfit, match="leads nowhere"):
        address_of(link, GUIDES)
