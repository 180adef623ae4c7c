"""The texts of issues in Portuguese and English, with the caller's own names of fields."""

from collections.abc import Mapping
from types import MappingProxyType

from brcode.charge_texts import CHARGE_TEXTS, LOOKS, OR_RIGHT, PHRASES, RIGHT
from brcode.rule_texts import RULE_TEXTS

__all__ = ["OWN_NAMES", "TEXTS", "render"]

OWN_NAMES: Mapping[str, str] = MappingProxyType({})
"""No names of the caller: every field keeps its EMV name."""

TEXTS = CHARGE_TEXTS | RULE_TEXTS
"""Portuguese and English template by code."""

_WHOLE_CODE = ("O código", "The code")


class _Parameters(dict[str, object]):
    """What fills a template: parameters, the caller's names of fields, or else EMV names."""

    def __missing__(self, emv_name: str) -> str:
        return emv_name


def render(
    code: str, field: str | None, params: Mapping[str, str | int], language: str, names: Mapping[str, str]
) -> str:
    """Return the text of an issue, with the right value or what the value looks like where that is known."""
    index = int(language == "en")
    template = TEXTS[code][index]
    if code in CHARGE_TEXTS:
        if "or_right" in params:
            template += OR_RIGHT[index]
        elif "right" in params:
            template += RIGHT[index]
        if "looks" in params:
            template += LOOKS[str(params["looks"])][index]
    words = _Parameters(names, field=names.get(field, field) if field else _WHOLE_CODE[index])
    for name, value in params.items():
        if name in PHRASES:
            words[name] = PHRASES[name][str(value)][index].format_map(words)
        elif name == "others":
            words[name] = ", ".join(names.get(other, other) for other in str(value).split(", "))
        else:
            words[name] = value
    return template.format_map(words)
