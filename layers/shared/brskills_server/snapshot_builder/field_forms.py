"""How each form of published value becomes a field, and its usual values, which need no rule.

Nearly all lines have usual values alone. One pattern finds them, which takes half the time of the rules for
their columns.
"""

from typing import NamedTuple


class Form(NamedTuple):
    """``rule``: the field in SQL (`macros`), of a value written as ``{0}``.

    ``usual``: a pattern of values (RE2), without quotes, of which ``of_usual`` makes what ``rule`` makes.
    """

    rule: str
    usual: str
    of_usual: str = "{0}"


def _nonzero(width: int) -> str:
    """Return a pattern of numbers with all their digits that are not zero."""
    forms = (f"0{{{zeros}}}[1-9][0-9]{{{width - 1 - zeros}}}" for zeros in range(width))
    return f"(?:{'|'.join(forms)})"


def code(width: int) -> Form:
    """Return the form of a code, which lacks leading zeros in some files."""
    return Form(f"code_of({{0}}, {width})", f"(?:[0-9]{{{width}}})?")


def place(width: int) -> Form:
    """Return the form of a code of which zero means none."""
    return Form(f"place_of({{0}}, {width})", f"{_nonzero(width)}?")


# A text that `macros.text_of` leaves as it is: no blank at an end, no two blanks together, and not eleven
# digits without a letter between. Without asterisks it has nothing of a masked CPF.
_MARK = "[!#-)+-/:-@[-`{-~À-ÖØ-öø-ÿªº°§]"
_MARKS = f"(?: ?{_MARK})*"
_NO_LETTER = f"{_MARKS}(?: ?[0-9]{_MARKS}){{0,10}}"
_BEGINNING = f"(?:(?:[A-Za-z]|{_MARK}){_NO_LETTER}|[0-9]{_MARKS}(?: ?[0-9]{_MARKS}){{0,9}})"
TEXT = Form("text_of({0})", f"(?:{_BEGINNING}(?: ?[A-Za-z]{_NO_LETTER})*)?")

_DAY_OF_MONTH = (
    "(?:(?:0[13578]|1[02])(?:0[1-9]|[12][0-9]|3[01])"
    "|(?:0[469]|11)(?:0[1-9]|[12][0-9]|30)|02(?:0[1-9]|1[0-9]|2[0-8]))"
)
DAY = Form(
    "day_of(stripped({0}))",
    f"(?:(?:1[0-9]|20)[0-9]{{2}}{_DAY_OF_MONTH}|00000000)?",
    "if({0} = '00000000', '', {0})",
)
MONEY = Form("money_of(stripped({0}))", "(?:0|[1-9][0-9]{0,10}),[0-9]{2}", "replace({0}, ',', '.')")
PHONE = Form("nonzero(digits_of({0}))", "(?:0*[1-9][0-9]*)?")
ACTIVITIES = Form("activities_of({0})", f"(?:{_nonzero(7)}(?:,{_nonzero(7)})*)?")
MARK = Form("mark_of(stripped({0}))", "[1-3]?")
YES = Form("yes_of(stripped({0}))", "[SN]?")
AGE_BAND = Form("nonzero(code_of({0}, 1))", "[1-9]?")
DOCUMENT = Form(
    "document_of({0})",
    r"(?:\*{3}[0-9]{6}\*{2}|[0-9A-Z]{12}[0-9]{2})?",
    "if({0} = '***000000**', '', {0})",
)
