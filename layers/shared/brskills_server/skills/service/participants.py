"""The list of Pix participants, and one of them by its ISPB."""

from collections.abc import Mapping, Sequence
from typing import Any

from brskills_server.participants.participant_list import participant_list
from brskills_server.skills.errors import ApiError, InvalidRequest
from brskills_server.skills.issues import FieldIssue
from brskills_server.skills.shape import Shape, check_shape

_SHAPES = {"ispb": Shape(str, least=1)}
_ONCE: Mapping[str, str] = {"pt": "Informe um só ISPB.", "en": "Send one ISPB only."}


def participants(query: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Return ``data`` (ISO 8601), ``fonte`` and ``participantes``; with ``ispb`` in the query, that one alone.

    Raise ``InvalidRequest``, or ``ApiError`` ``not_found`` for an ISPB that is not in the list.
    """
    content = {name: values[-1] for name, values in query.items()}
    issues = check_shape(_SHAPES, content)
    issues += [
        FieldIssue(name, "conflicting_fields", _ONCE) for name in _SHAPES if len(query.get(name, ())) > 1
    ]
    if issues:
        raise InvalidRequest(*issues)
    listed = participant_list()
    chosen = listed.participants
    if "ispb" in content:
        found = listed.find(content["ispb"].upper())
        if found is None:
            raise ApiError("not_found", wording=":participant")
        chosen = (found,)
    return {
        "data": listed.date,
        "fonte": listed.source,
        "participantes": [{"ispb": each.ispb, "nome": each.name, "modalidade": each.mode} for each in chosen],
    }
