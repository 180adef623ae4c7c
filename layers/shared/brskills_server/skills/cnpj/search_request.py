"""The request of a search: its fields, and the criteria that they describe."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, NamedTuple

from brskills_server.registry.errors import InvalidCnpj
from brskills_server.registry.search.cities import AmbiguousCity, UnknownCity, find_cities
from brskills_server.registry.search.criteria import Criteria
from brskills_server.registry.search.cursor import Cursor, InvalidCursor, read_cursor
from brskills_server.skills.cnpj import search_values as values
from brskills_server.skills.cnpj.search_values import ANY_STATUS, InvalidValue
from brskills_server.skills.errors import InvalidRequest
from brskills_server.skills.issues import FieldIssue, cnpj_issue, issue
from brskills_server.skills.shape import Shape, as_whole_number, check_shape

MOST_VALUES = 20
"""Values of one field."""
MOST_WORDS = 200
"""Words of all names: each may stand for as many as begin so, which are read at the same time."""
DEFAULT_LIMIT, MOST_LIMIT = 25, 100
_MOST_NAMED = 10  # municipalities in an issue

_TEXTS, _CODES = Shape(str, many=True), Shape(str | int, many=True)
_TEXT = Shape(str)

_LISTS: dict[str, tuple[str, Shape, Callable[[Any], Any]]] = {
    "nome": ("names", _TEXTS, values.read_words),
    "raiz": ("roots", _CODES, values.read_root),
    "cnae": ("activities", _CODES, values.read_activity),
    "cnae_principal": ("main_activities", _CODES, values.read_activity),
    "uf": ("states", _TEXTS, values.read_state),
    "municipio": ("cities", _CODES, values.read_city),
    "cep": ("postal_codes", _TEXTS, values.read_postal_code),
    "natureza_juridica": ("natures", _CODES, values.digits_reader(4, "-", "2062, 206-2")),
    "porte": ("sizes", _CODES, values.read_size),
    "situacao": ("statuses", _CODES, values.read_status),
    "socio_cnpj": ("partners", _CODES, values.read_partner),
}
_CHOICES = {"matriz": "head_office", "mei": "mei", "simples": "simples"}
SHAPES: Mapping[str, Shape] = {
    **{name: shape for name, (_, shape, _read) in _LISTS.items()},
    **dict.fromkeys(("aberta_de", "aberta_ate"), _TEXT),
    **dict.fromkeys(_CHOICES, Shape(bool)),
    "limite": Shape(int, limits=(1, MOST_LIMIT)),
    "cursor": _TEXT,
}
ANCHORS = ("nome", "raiz", "cnae", "cnae_principal", "municipio", "cep", "socio_cnpj")
"""Fields of which a search needs one: without them it would be a list of the register."""

_ACTIVE = ("02",)
"""The statuses where none is given, but for all establishments of a root."""


class Search(NamedTuple):
    """A checked request; ``cursor`` is empty for the first page."""

    criteria: Criteria
    limit: int
    cursor: Cursor


def read_search(content: Mapping[str, Any]) -> Search:
    """Return the search that a request describes. Raise ``InvalidRequest`` with all issues."""
    given = {name: value for name, value in content.items() if value is not None}
    reader = _Reader(given, check_shape(SHAPES, content))
    criteria = reader.criteria()
    if not given.keys() & {*ANCHORS}:
        reader.issues.extend(issue(field, "too_broad") for field in ANCHORS)
    cursor = Cursor("", "")
    if "cursor" in given and not reader.issues:  # of other criteria a cursor cannot be right
        try:
            cursor = read_cursor(given["cursor"], criteria)
        except InvalidCursor:
            reader.issues.append(issue("cursor", "invalid_cursor"))
    if reader.issues:
        raise InvalidRequest(*reader.issues)
    return Search(criteria, as_whole_number(given.get("limite", DEFAULT_LIMIT)), cursor)


def too_much_work(criteria: Criteria) -> list[FieldIssue]:
    """Return the issues of a search that asks for more than an engine may do."""
    if criteria.names:
        return [issue("nome", "too_many_words", limit=MOST_WORDS)]
    return [issue(field, "too_broad") for field in ANCHORS if not getattr(criteria, _LISTS[field][0])]


class _Reader:
    """The criteria of a content whose fields, but for those with an issue, are of the right types."""

    def __init__(self, given: Mapping[str, Any], issues: list[FieldIssue]) -> None:
        self.issues = issues
        faulty = {found.field for found in issues}
        self._given = {name: value for name, value in given.items() if name not in faulty}

    def criteria(self) -> Criteria:
        """Return the criteria of the fields without an issue, and add the issues of the others."""
        found: dict[str, Any] = {
            name: self._list(field, read) for field, (name, _, read) in _LISTS.items() if field in self._given
        }
        if sum(map(len, found.get("names", ()))) > MOST_WORDS:
            self.issues.append(issue("nome", "too_many_words", limit=MOST_WORDS))
        found |= {name: self._given[field] for field, name in _CHOICES.items() if field in self._given}
        found |= self._period()
        found["cities"] = self._places(found.get("cities", ()), found.get("states", ()))
        statuses = found.get("statuses") or (() if "roots" in found else _ACTIVE)
        return Criteria(**found | {"statuses": () if ANY_STATUS in statuses else statuses})

    def _list(self, field: str, read: Callable[[Any], Any]) -> tuple[Any, ...]:
        """Return the values of a field, each once and in order."""
        value = self._given[field]
        listed = value if isinstance(value, list) else [value]
        if not 1 <= len(listed) <= MOST_VALUES:
            self.issues.append(issue(field, "invalid_length", expected=f"1…{MOST_VALUES}"))
            return ()
        try:
            return tuple(sorted({read(as_whole_number(each)) for each in listed}))
        except InvalidCnpj as invalid:
            self.issues.append(cnpj_issue(field, invalid))
        except InvalidValue as invalid:
            self.issues.append(issue(field, invalid.code, **invalid.params))
        return ()

    def _period(self) -> dict[str, date | None]:
        first, last = (self._day(field) for field in ("aberta_de", "aberta_ate"))
        if first and last and first > last:
            self.issues.append(issue("aberta_ate", "invalid_period"))
        return {"opened_from": first, "opened_to": last}

    def _day(self, field: str) -> date | None:
        try:
            return values.read_day(self._given[field]) if field in self._given else None
        except InvalidValue as invalid:
            self.issues.append(issue(field, invalid.code, **invalid.params))
            return None

    def _places(self, texts: tuple[str, ...], states: tuple[str, ...]) -> tuple[str, ...]:
        try:
            return find_cities(texts, states)
        except UnknownCity:
            self.issues.append(issue("municipio", "unknown_city"))
        except AmbiguousCity as ambiguous:
            names = ", ".join(ambiguous.names[:_MOST_NAMED])
            self.issues.append(issue("municipio", "ambiguous_city", expected=names))
        return ()
