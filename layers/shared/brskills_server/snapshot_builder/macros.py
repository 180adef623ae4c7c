"""How a field of the published files becomes what a copy holds: macros of DuckDB's SQL.

They do what ``brskills_server.registry.values`` does for every other provider, on millions of rows at once; properties in
the tests hold the two against each other. What has no value is an empty text.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import duckdb

from brskills_server.registry.free_text import clean_text
from brskills_server.registry.privacy import person_document

__all__ = ["connect"]

_MACROS = r"""
-- What a macro is given is worked out again wherever it stands in it, so one quick look comes first: most
-- texts are what they should be. What may hold a CPF, or a character that cannot be seen, is read by the rule
-- for all providers.
CREATE MACRO stripped(x) AS CASE WHEN starts_with(x, ' ') OR ends_with(x, ' ') THEN trim(x) ELSE x END;
CREATE MACRO trimmed(x) AS trim(regexp_replace(x, ' {2,}', ' ', 'g'));
CREATE MACRO text_of(x) AS CASE
  WHEN regexp_matches(x, '^[ *]| $|  |""|[^ -~À-ÖØ-öø-ÿªº°§]|[0-9]([^0-9A-Za-z]*[0-9]){10}')
  THEN clean_text(replace(x, '""', '"')) ELSE x END;

CREATE MACRO undotted(x) AS regexp_replace(trimmed(x), '([0-9])[-./ ]', '\1', 'g');
CREATE MACRO padded(x, width) AS CASE
  WHEN regexp_full_match(x, '[0-9]+') AND length(x) <= width THEN lpad(x, width, '0') ELSE '' END;
CREATE MACRO code_of(x, width) AS CASE
  WHEN x = '' THEN '' WHEN length(x) = width AND regexp_full_match(x, '[0-9]+') THEN x
  ELSE padded(undotted(x), width) END;
CREATE MACRO nonzero(x) AS CASE WHEN trim(x, '0') = '' THEN '' ELSE x END;
CREATE MACRO place_of(x, width) AS nonzero(code_of(x, width));

CREATE MACRO day_of(x) AS CASE
  WHEN length(x) = 8 AND regexp_full_match(x, '[0-9]{8}') AND x >= '00010101'
   AND TRY_CAST(x[1:4] || '-' || x[5:6] || '-' || x[7:8] AS DATE) IS NOT NULL THEN x ELSE '' END;

-- 999999999999,00 stands for a capital that nobody knows.
CREATE MACRO money_of(x) AS CASE
  WHEN regexp_full_match(x, '[0-9]{1,18}(,[0-9]{1,2})?') AND NOT regexp_full_match(x, '0*9{12}(,0{1,2})?')
  THEN CAST(CAST(replace(x, ',', '.') AS DECIMAL(20, 2)) AS VARCHAR) ELSE '' END;

CREATE MACRO digits_of(x) AS CASE
  WHEN x = '' OR regexp_full_match(x, '[0-9]+') THEN x ELSE regexp_replace(x, '[^0-9]', '', 'g') END;
CREATE MACRO activities_of(x) AS CASE
  WHEN x = '' OR regexp_full_match(x, '[0-9]{7}(,[0-9]{7})*') AND NOT contains(x, '0000000') THEN x
  ELSE array_to_string(list_filter(
    list_transform(string_split(x, ','), lambda c: place_of(c, 7)), lambda c: c <> ''), ',') END;

-- One of a few marks; whatever else stands there may be anything, a CPF too.
CREATE MACRO classify(x) AS CASE WHEN regexp_full_match(x, '[1-3]') THEN x ELSE '' END;
CREATE MACRO yes_of(x) AS CASE WHEN x IN ('S', 'N') THEN x ELSE '' END;

CREATE MACRO document_of(x) AS CASE
  WHEN x = '' OR x = '***000000**' THEN ''
  WHEN regexp_full_match(x, '\*{3}[0-9]{6}\*{2}') THEN x
  WHEN regexp_full_match(upper(regexp_replace(x, '[-./ ]', '', 'g')), '[0-9A-Z]{12}[0-9]{2}')
  THEN upper(regexp_replace(x, '[-./ ]', '', 'g')) ELSE person_document(x) END;

CREATE MACRO is_root(x) AS regexp_full_match(x, '[0-9A-Z]{8}');

-- Rows are worked on a part at a time. Real roots are dense, about a million a pair of digits.
CREATE MACRO part_of(root) AS CASE
  WHEN root[1] > '9' THEN root[1] WHEN root[2] > '9' THEN root[1] || 'x' ELSE root[1:2] END;
"""


def _check_digits(worth: Callable[[int], str]) -> str:
    """Whether the last two of fourteen characters are right, by what the n-th of them is worth.

    Receita Federal's rule for numbers with letters, too: the weights run from 2 to 9, again and again, from
    the right. (Ten times the total leaves what is missing to eleven, and 10 stands for 0.)
    """

    def is_right(length: int) -> str:
        total = " + ".join(f"({worth(n)}) * {(length - n) % 8 + 2}" for n in range(1, length + 1))
        return f"{worth(length + 1)} = ({total}) * 10 % 11 % 10"

    return f"{is_right(12)} AND {is_right(13)}"


_CHECK_DIGITS = f"""
CREATE MACRO is_number_right(v) AS {_check_digits(lambda n: f"(v // {10 ** (14 - n)}) % 10")};
CREATE MACRO is_text_right(x) AS {_check_digits(lambda n: f"ascii(x[{n}]) - 48")};
CREATE MACRO is_cnpj(x, number) AS CASE
  WHEN regexp_full_match(x, '[0-9]{{14}}') THEN is_number_right(number)
  WHEN regexp_full_match(x, '[0-9A-Z]{{12}}[0-9]{{2}}') THEN is_text_right(x) ELSE false END;
"""
"""A character is worth its code less 48. Nearly all have digits alone, and are quicker as the ``number`` that
they are, which is made once, where DuckDB sees it."""


def connect(temporary: str, memory_mb: int = 700, threads: int = 2) -> duckdb.DuckDBPyConnection:
    """A DuckDB in memory with these macros; what does not fit goes into the folder ``temporary``."""
    connection = duckdb.connect()
    connection.execute(
        f"SET threads = {threads}; SET memory_limit = '{memory_mb}MB'; SET preserve_insertion_order = false"
    )
    connection.execute("SET temp_directory = ?", [temporary])
    for rule in (clean_text, person_document):
        connection.create_function(rule.__name__, partial(_or_empty, rule), ["VARCHAR"], "VARCHAR")
    connection.execute(_MACROS + _CHECK_DIGITS)
    return connection


def _or_empty(rule: Callable[[str], str | None], text: str) -> str:
    return rule(text) or ""
