"""The field maps of the providers, and answers that are not what they claim to be."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from brskills_server.registry.company import Record
from brskills_server.registry.providers import REMOTE_IDS
from brskills_server.registry.providers.catalogue import PROVIDERS
from brskills_server.registry.providers.fields import find, same
from tests.for_each import for_each

NOT_READ = {"fonte", "capital_social_precisao"}  # these do not come out of the answer
NOT_EVERYWHERE = {"data_base", "inscricoes_estaduais", "qualificacao_do_responsavel", "fax"}
"""Not every provider has these."""
CODED = {"pais": {"codigo", "descricao"}}  # a country is found by its code too


def check(fields: Mapping[str, Any], model: type[BaseModel]) -> None:
    """Every name on the left is a field of the record."""
    assert fields.keys() - {"rows"} <= model.model_fields.keys()
    for name, inner in fields.items():
        if isinstance(inner, Mapping):
            if name in CODED:
                assert inner.keys() <= CODED[name]
            else:
                check(inner, model_of(model, name))


def model_of(model: type[BaseModel], name: str) -> type[BaseModel]:
    parts: list[Any] = [model.model_fields[name].annotation]
    for part in parts:
        parts += getattr(part, "__args__", ())
    return next(part for part in parts if isinstance(part, type) and issubclass(part, BaseModel))


@for_each("provider", REMOTE_IDS)
def test_a_field_map_has_the_names_of_the_record(provider: str) -> None:
    fields = PROVIDERS[provider].fields
    check(fields, Record)
    assert not fields.keys() & NOT_READ
    assert Record.model_fields.keys() - NOT_READ - NOT_EVERYWHERE <= fields.keys()


def test_paths() -> None:
    answer = {"a": {"b": {"c": 1}}, "empty": "", "none": None}
    assert find(answer, "a.b.c") == 1
    assert find(answer, lambda given: given["a"]["b"]) == {"c": 1}
    assert [find(answer, path) for path in ("a.b.d", "a.x.c", "empty.c", "none.c", "a.b.c.d")] == [None] * 5
    assert same("b", "c", within="a") == {"b": "a.b", "c": "a.c"}
