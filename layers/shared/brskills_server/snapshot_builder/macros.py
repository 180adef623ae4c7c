"""DuckDB connections with macros that make a snapshot's canonical fields of published ones.

The macros do on millions of rows what ``brskills_server.registry.values`` does for the other providers; tests
compare the two. A missing value is an empty text.
"""

from collections.abc import Callable, Iterable
from pathlib import Path

import duckdb

from brskills_server.registry.free_text import clean_text
from brskills_server.registry.privacy import person_document
from brskills_server.registry.search.documents import name_words
from brskills_server.snapshot_builder.indexed_words import NAME_MACROS
from brskills_server.snapshot_builder.machine import Share

_MACROS = r"""
-- DuckDB evaluates an argument again at each use in a macro, so a quick test comes first: most texts are
-- canonical already. The providers' rule reads what may contain a CPF or an invisible character; one name in
-- six ends in a CPF without marks, and is otherwise canonical.
CREATE MACRO stripped(x) AS CASE WHEN starts_with(x, ' ') OR ends_with(x, ' ') THEN trim(x) ELSE x END;
CREATE MACRO text_of(x) AS CASE
  WHEN NOT regexp_matches(x, '^[ *]| $|  |""|[^ -~À-ÖØ-öø-ÿªº°§]|[0-9]([^0-9A-Za-z]*[0-9]){10}') THEN x
  WHEN regexp_full_match(x, '([!#-)+-/:-~À-ÖØ-öø-ÿªº°§]+ )+[0-9]{11}')
  THEN regexp_replace(x, '[0-9]{3}([0-9]{6})[0-9]{2}$', '***\1**')
  ELSE clean_text(replace(x, '""', '"')) END;

CREATE MACRO undotted(x) AS regexp_replace(text_of(x), '([0-9])[-./ ]', '\1', 'g');
CREATE MACRO padded(x, width) AS CASE
  WHEN regexp_full_match(x, '[0-9]+') AND length(x) <= width THEN lpad(x, width, '0') ELSE '' END;
CREATE MACRO code_of(x, width) AS CASE
  WHEN x = '' THEN '' WHEN length(x) = width AND regexp_full_match(x, '[0-9]+') THEN x
  ELSE padded(undotted(x), width) END;
CREATE MACRO nonzero(x) AS CASE WHEN TRY_CAST(x AS HUGEINT) = 0 THEN '' ELSE x END;  -- of digits alone
CREATE MACRO place_of(x, width) AS nonzero(code_of(x, width));

CREATE MACRO day_of(x) AS CASE
  WHEN x = '' OR x = '00000000' THEN ''
  WHEN regexp_full_match(x, '[0-9]{8}') AND x >= '00010101' AND try_strptime(x, '%Y%m%d') IS NOT NULL
  THEN x ELSE '' END;

-- 999999999999,00 is the register's mark for an unknown capital.
CREATE MACRO money_of(x) AS CASE
  WHEN regexp_full_match(x, '[0-9]{1,18}(,[0-9]{1,2})?') AND NOT regexp_full_match(x, '0*9{12}(,0{1,2})?')
  THEN CAST(CAST(replace(x, ',', '.') AS DECIMAL(20, 2)) AS VARCHAR) ELSE '' END;

CREATE MACRO digits_of(x) AS CASE
  WHEN x = '' OR regexp_full_match(x, '[0-9]+') THEN x ELSE regexp_replace(x, '[^0-9]', '', 'g') END;
CREATE MACRO activities_of(x) AS CASE
  WHEN x = '' OR regexp_full_match(x, '[0-9]{7}(,[0-9]{7})*') AND NOT contains(x, '0000000') THEN x
  ELSE array_to_string(list_filter(
    list_transform(string_split(x, ','), lambda c: place_of(c, 7)), lambda c: c <> ''), ',') END;

-- One of a few marks; any other text is dropped, for it may contain a CPF.
CREATE MACRO mark_of(x) AS CASE WHEN regexp_full_match(x, '[1-3]') THEN x ELSE '' END;
CREATE MACRO yes_of(x) AS CASE WHEN x IN ('S', 'N') THEN x ELSE '' END;

CREATE MACRO document_of(x) AS CASE
  WHEN x = '' OR x = '***000000**' THEN ''
  WHEN regexp_full_match(x, '\*{3}[0-9]{6}\*{2}') THEN x
  WHEN regexp_full_match(upper(regexp_replace(x, '[-./ ]', '', 'g')), '[0-9A-Z]{12}[0-9]{2}')
  THEN upper(regexp_replace(x, '[-./ ]', '', 'g')) ELSE person_document(x) END;

CREATE MACRO is_root(x) AS regexp_full_match(x, '[0-9A-Z]{8}');

-- The part of the register that a root belongs to; parts are joined one at a time. Real roots are dense,
-- about a million a pair of digits.
CREATE MACRO part_of(root) AS CASE
  WHEN root[1] > '9' THEN root[1] WHEN root[2] > '9' THEN root[1] || 'x' ELSE root[1:2] END;
"""


def _check_digits(value: Callable[[int], str]) -> str:
    """Return SQL that tests the last two of fourteen characters, given the value of the n-th.

    Receita Federal's rule, also for numbers with letters: weights from 2 to 9, repeated, from the right. (Ten
    times the sum modulo 11 is the digit, where 10 means 0.)
    """

    def is_right(length: int) -> str:
        total = " + ".join(f"({value(n)}) * {(length - n) % 8 + 2}" for n in range(1, length + 1))
        return f"{value(length + 1)} = ({total}) * 10 % 11 % 10"

    return f"{is_right(12)} AND {is_right(13)}"


_CHECK_DIGITS = f"""
CREATE MACRO is_number_right(v) AS {_check_digits(lambda n: f"(v // {10 ** (14 - n)}) % 10")};
CREATE MACRO is_text_right(x) AS {_check_digits(lambda n: f"ascii(x[{n}]) - 48")};
CREATE MACRO is_cnpj(x, number) AS CASE
  WHEN regexp_full_match(x, '[0-9]{{14}}') THEN is_number_right(number)
  WHEN regexp_full_match(x, '[0-9A-Z]{{12}}[0-9]{{2}}') THEN is_text_right(x) ELSE false END;
"""
"""The value of a character is its code less 48. Nearly all keys are digits alone, which is quicker to test
on ``number``, computed once a row."""

FIELD_MACROS = _MACROS + _CHECK_DIGITS


def connect(temporary: str, share: Share) -> duckdb.DuckDBPyConnection:
    """Return a DuckDB in memory with these macros; it spills to the folder ``temporary``."""
    connection = duckdb.connect()
    connection.execute(
        f"SET threads = {share.threads}; SET memory_limit = '{share.memory}B';"
        " SET preserve_insertion_order = false"
    )
    connection.execute("SET temp_directory = ?", [temporary])
    for rule in (clean_text, person_document, name_words):
        connection.create_function(rule.__name__, _or_empty(rule), ["VARCHAR"], "VARCHAR")
    connection.execute(FIELD_MACROS + NAME_MACROS)
    return connection


def sql_literals(texts: Iterable[str | Path]) -> str:
    """Return texts as SQL literals with commas between them."""
    return ", ".join("'" + str(text).replace("'", "''") + "'" for text in texts)


def _or_empty(rule: Callable[[str], str | None]) -> Callable[[str], str]:
    return lambda text: rule(text) or ""
