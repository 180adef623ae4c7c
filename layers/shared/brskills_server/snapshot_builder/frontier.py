"""The frontier of the roots that a month's files show; see ``brskills_server.registry.frontier``."""

from datetime import date
from pathlib import Path

import duckdb

from brskills_server.registry.frontier import MOST_STEP, rising
from brskills_server.registry.snapshot.rows import ESTABLISHMENT_FIELDS
from brskills_server.snapshot_builder.layout import FIELD_SEPARATOR
from brskills_server.snapshot_builder.reading import row_files

_HEAD_OFFICE = "1"
_YEARS = 2

# The half of a month's roots is of those given in it; one of an older block is far above.
_STATEMENT = f"""
WITH opened AS MATERIALIZED (
  SELECT split_part(body, {FIELD_SEPARATOR}, {ESTABLISHMENT_FIELDS.index("opened") + 1})[1:6] AS month,
    TRY_CAST(key[1:8] AS BIGINT) AS root
  FROM read_parquet($files) WHERE starts_with(body, '{_HEAD_OFFICE}')
   AND regexp_full_match(key[1:8], '[0-9]{{8}}') AND month BETWEEN $first AND $last),
middles AS (SELECT month, quantile_disc(root, 0.5) AS middle FROM opened GROUP BY month)
SELECT month, max(root) FROM opened JOIN middles USING (month)
 WHERE root <= middle + {MOST_STEP} GROUP BY month"""  # noqa: S608, no part is from outside


def read_frontier(connection: duckdb.DuckDBPyConnection, staging: Path, day: date) -> dict[str, str]:
    """Return the greatest root of the head offices opened in each month of the two years before ``day``."""
    files = row_files(staging, "Estabelecimentos")
    if not files:
        return {}
    limits = {"first": f"{day.year - _YEARS}{day.month:02}", "last": f"{day.year}{day.month:02}"}
    return rising(dict(connection.execute(_STATEMENT, {"files": files, **limits}).fetchall()))
