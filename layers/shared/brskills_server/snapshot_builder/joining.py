"""Joining a range of the register from the read files: companies with partners, and establishments."""

from collections.abc import Iterator
from pathlib import Path

import duckdb

from brskills_server.registry.snapshot.rows import ESTABLISHMENT_FIELDS, PARTNER_FIELDS
from brskills_server.snapshot_builder.chosen_rows import JoinedRow
from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.indexed_words import (
    COMPANY_WORDS,
    ESTABLISHMENT_WORDS,
    NAMED,
    PARTNER_WORDS,
)
from brskills_server.snapshot_builder.layout import FIELD_SEPARATOR, LAYOUTS
from brskills_server.snapshot_builder.macros import sql_literals
from brskills_server.snapshot_builder.ranges import Range
from brskills_server.snapshot_builder.reading import row_files
from brskills_server.snapshot_builder.row_statement import BROKEN

_BATCH = 2_000  # rows; one of an establishment may have 80 KB, and one of a company contains all its partners

_ITEM_SEPARATOR, _PART_SEPARATOR = "chr(30)", "chr(31)"
_MOST_ROWS, _MOST_BYTES = 100, 64 * 1024**2
_BY_COMPANY = "SELECT key FROM {} GROUP BY key HAVING {}"
_TOO_LARGE = {
    "Empresas": _BY_COMPANY.format("Empresas_rows", f"count(*) > {_MOST_ROWS}"),
    "Simples": _BY_COMPANY.format(
        "Simples_rows SEMI JOIN Empresas_rows USING (key)", f"count(*) > {_MOST_ROWS}"
    ),
    "Socios": _BY_COMPANY.format(
        "Socios_rows", f"sum(strlen(name) + strlen(agent_name) + 100) > {_MOST_BYTES}"
    ),
}
"""Statements that find a company with more in a kind of file than the memory may hold. Its rows of the first
two, which have one for each company, are multiplied by one another, and odd ones of no company may be many;
its partners are one value."""
_LEAST = "chr(1)"  # sorts before any character of a value, so that joined texts sort as their tuples
_OPTION = """coalesce({0}, ''),
  CASE WHEN {0}_since = {0}_until THEN '' ELSE coalesce({0}_since, '') END,
  CASE WHEN {0}_since = {0}_until THEN '' ELSE coalesce({0}_until, '') END"""
_VOID = "CASE WHEN {0}_since = {0}_until THEN {0}_since ELSE '' END"

_JOIN = f"""
WITH {{kinds}}, sortable AS (
  SELECT DISTINCT key,
    concat_ws({_LEAST}, {{partner_order}}, concat_ws({_PART_SEPARATOR}, {{partner}})) AS partner,
    {{partner_words}} AS words
  FROM Socios_rows WHERE name <> ''),
partners AS (
  SELECT key, array_to_string(list_transform(
    list_sort(list(partner)), lambda x: split_part(x, {_LEAST}, -1)), {_ITEM_SEPARATOR}) AS partners,
    string_agg(DISTINCT words, '') AS partner_words
  FROM sortable GROUP BY key),
companies AS ({NAMED.format("name", "Empresas_rows")}),
bodies AS (SELECT key, body, string_split(body, {FIELD_SEPARATOR}) AS f FROM Estabelecimentos_rows),
split AS (SELECT key, body, {{establishment}} FROM bodies),
establishments AS ({NAMED.format("trade_name", "split")})
SELECT key, body, words FROM (
  SELECT key, body, {{establishment_words}} AS words, status_date AS rank FROM establishments
  UNION ALL
  SELECT key, '', '', '' FROM broken WHERE kind = 'Estabelecimentos' AND key >= $start AND key < $end
  UNION ALL
  SELECT e.key, CASE WHEN e.key IN (SELECT key FROM broken WHERE kind <> 'Estabelecimentos')
      THEN '' WHEN e.name <> '' THEN concat_ws({FIELD_SEPARATOR}, e.name, nature, capital, size,
        jurisdiction, {_OPTION.format("simples")}, {_OPTION.format("mei")}, coalesce(partners, ''),
        responsible, {_VOID.format("simples")}, {_VOID.format("mei")}) END, {{company_words}}, ''
  FROM companies e LEFT JOIN Simples_rows USING (key) LEFT JOIN partners USING (key)
  WHERE e.key IN (SELECT key[1:8] FROM Estabelecimentos_rows)
) ORDER BY key, rank, body NULLS LAST"""  # noqa: S608, no part is from outside

_REPEATED_PARTNERS = """
WITH {kinds} SELECT coalesce(sum(times - 1), 0) FROM (
  SELECT count(*) AS times FROM Socios_rows WHERE name <> '' GROUP BY {columns})"""

# The order of registry.providers.partners: by name, document and the other values. A missing value sorts
# last, but a missing code or representative first. (Equal partners of other countries: by country code.)
_LAST = "CASE {0} WHEN '' THEN '~' ELSE {0} END"
_PARTNER_ORDER = (
    "name", "document", "CASE kind WHEN '3' THEN 1 WHEN '2' THEN 2 WHEN '1' THEN 3 ELSE 4 END", "role",
    _LAST.format("since"), _LAST.format("age_band"), _LAST.format("country"),
    "if(agent_name = '', if(agent_document = '', '0', '2'), '1')", "agent_name",
    _LAST.format("agent_document"), "agent_role",
)  # fmt: skip
_KINDS = "<a table expression for each kind of row>"
_STATEMENT = _JOIN.format(
    kinds=_KINDS,
    partner=", ".join(PARTNER_FIELDS),
    partner_order=", ".join(_PARTNER_ORDER),
    partner_words=PARTNER_WORDS,
    establishment=", ".join(f"f[{n}] AS {name}" for n, name in enumerate(ESTABLISHMENT_FIELDS, 1)),
    establishment_words=ESTABLISHMENT_WORDS,
    company_words=COMPANY_WORDS,
)


def open_joining(connection: duckdb.DuckDBPyConnection, staging: Path, threads: int) -> None:
    """Load the keys of the rejected rows of all files, which are few.

    One of ``threads`` is left to who writes what is joined: with one more than processors, both take longer.
    """
    connection.execute(f"SET threads = {max(1, threads - 1)}")
    connection.execute("CREATE OR REPLACE TABLE broken (kind VARCHAR, key VARCHAR)")
    for kind in LAYOUTS:
        if files := row_files(staging, kind, BROKEN):
            connection.execute(
                "INSERT INTO broken SELECT DISTINCT ?, key FROM read_parquet(?)", [kind, files]
            )


def check_companies(connection: duckdb.DuckDBPyConnection, staging: Path, chosen: Range) -> None:
    """Raise `SnapshotError` for a company of a range that no memory holds."""
    kinds = ", ".join(_rows_of(kind, staging, chosen) for kind in _TOO_LARGE)
    for kind in (kind for kind in _TOO_LARGE if _files_of(kind, staging, chosen)):
        if connection.execute(f"WITH {kinds} {_TOO_LARGE[kind]} LIMIT 1", _limits(chosen)).fetchone():
            raise SnapshotError(f"{kind} has too many rows of one company")


def repeated_partners(connection: duckdb.DuckDBPyConnection, staging: Path, chosen: Range) -> int:
    """Return the number of a range's partner rows that another one equals in every field."""
    if not _files_of("Socios", staging, chosen):
        return 0
    columns = ", ".join(("key", *LAYOUTS["Socios"].fields))
    statement = _REPEATED_PARTNERS.format(kinds=_rows_of("Socios", staging, chosen), columns=columns)
    (repeated,) = connection.execute(statement, _limits(chosen)).fetchall()[0]
    return int(repeated)


def join_range(
    connection: duckdb.DuckDBPyConnection, staging: Path, chosen: Range
) -> Iterator[list[JoinedRow]]:
    """Return the rows of a range, sorted by key and body, in batches. A key may occur several times.

    A body is `None` for a company's row without a name, and empty for a row that could not be read.

    The work is done before the first batch is taken. Raise `duckdb.OutOfMemoryException` here or there.
    """
    kinds = ", ".join(_rows_of(kind, staging, chosen) for kind in LAYOUTS)
    found = connection.execute(_STATEMENT.replace(_KINDS, kinds), _limits(chosen))
    return iter(lambda: found.fetchmany(_BATCH), [])


def _limits(chosen: Range) -> dict[str, str]:
    return {"start": chosen.start, "end": chosen.end}


def _files_of(kind: str, staging: Path, chosen: Range) -> list[str]:
    return [file for part in chosen.parts for file in row_files(staging, kind, part)]


def _rows_of(kind: str, staging: Path, chosen: Range) -> str:
    columns = ("key", *LAYOUTS[kind].kept)
    files = _files_of(kind, staging, chosen)
    rows = (
        f"SELECT {', '.join(columns)} FROM read_parquet([{sql_literals(files)}])"  # noqa: S608, names of the layout
        f" WHERE key >= $start AND key < $end"
        if files
        else f"SELECT {', '.join(f'NULL::VARCHAR AS {name}' for name in columns)} LIMIT 0"
    )
    return f"{kind}_rows AS NOT MATERIALIZED ({rows})"
