"""Days, months and waits in words, in Portuguese and English.

>>> day_in_words(date(2026, 12, 1), "pt"), day_in_words(date(2026, 12, 1), "en")
('1º de dezembro de 2026', '1 December 2026')
>>> month_in_words("2026-11", "pt"), month_in_words("2026-11", "en")
('novembro de 2026', 'November 2026')
>>> wait_in_words(30, "pt"), wait_in_words(5400, "en"), wait_in_words(2570414, "pt")
('30 segundos', '90 minutes', '30 dias')
"""

from datetime import date

# fmt: off
_MONTHS = {
    "pt": ("janeiro", "fevereiro", "março", "abril", "maio", "junho",
           "julho", "agosto", "setembro", "outubro", "novembro", "dezembro"),
    "en": ("January", "February", "March", "April", "May", "June",
           "July", "August", "September", "October", "November", "December"),
}
# fmt: on
_UNITS = (
    (86_400, {"pt": "dias", "en": "days"}),
    (3_600, {"pt": "horas", "en": "hours"}),
    (60, {"pt": "minutos", "en": "minutes"}),
)
_SECONDS = {"pt": ("segundo", "segundos"), "en": ("second", "seconds")}


def day_in_words(day: date, language: str) -> str:
    """Return a day in ``pt`` or ``en``; the first of a month is an ordinal in Portuguese."""
    month = _MONTHS[language][day.month - 1]
    if language == "en":
        return f"{day.day} {month} {day.year}"
    return f"{'1º' if day.day == 1 else day.day} de {month} de {day.year}"


def month_in_words(month: str, language: str) -> str:
    """Return a month given as ``2026-11``."""
    year, number = month.split("-")
    name = _MONTHS[language][int(number) - 1]
    return f"{name} {year}" if language == "en" else f"{name} de {year}"


def wait_in_words(seconds: int, language: str) -> str:
    """Return a wait, rounded up to whole units: the largest unit of which there are more than one."""
    for length, name in _UNITS:
        if seconds > length:
            return f"{-(-seconds // length)} {name[language]}"
    return f"{seconds} {_SECONDS[language][seconds != 1]}"
