"""The page knows every field of the Pix request: in its form, in its lists, by name."""

import re

import pytest

from brskills_server.skills.pix.fields import PIX_FIELDS
from functions.site.app import FILES
from tests.for_each import for_each
from tests.unit.site.serving import get

NAMES = [field.name for field in PIX_FIELDS]
SHOWN = [name for name in NAMES if name != "estrito"]  # it is no part of a code


@pytest.mark.parametrize("name", NAMES)
def test_the_form_takes_the_field(name: str) -> None:
    assert re.search(rf'<(?:input|select)[^>]* name="{name}"', get("/")["body"]), "templates/landing.html"


@for_each("name", SHOWN)
def test_a_code_is_shown_with_the_field_by_its_name(name: str) -> None:
    assert f'"{name}"' in FILES["fields.js"].body, "static/fields.js"
    assert f'"{name}": ' in get("/")["body"], "templates/script_texts.json"
