"""The statement that reads lines of a kind: each becomes a row of canonical fields, or is rejected.

Each line is a row, split at ``";"``; a CSV parser could take rows behind a stray quote for one value. A line
with too few or too many columns is rejected: counted, and kept as its key alone. So is a line in which two
separators overlap: ``"A";";"B"`` is ``A`` and ``;"B``, or ``A";`` and ``B``.
"""

from pathlib import Path

from brskills_server.snapshot_builder.layout import LAYOUTS
from brskills_server.snapshot_builder.macros import sql_literals

BROKEN, NAMELESS = "broken", "nameless"
"""The parts of rejected rows with a valid key, and without one."""

_MAX_FIELD = 2_000  # characters, as for every provider; no field of the register is longer

_COPY = """
COPY (
  WITH lines AS (
    SELECT stripped(line) AS line FROM read_csv({path}, header = false, auto_detect = false,
      delim = '\x01', quote = '', escape = '', columns = {{'line': 'VARCHAR'}})),
  matched AS (
    SELECT line, strlen(line) <= {longest} AND regexp_full_match(line, '{usual}') AS usual
    FROM lines WHERE line <> ''),
  -- Without its outer quotes a line would be copied: two columns of usual lines contain them.
  split AS (SELECT line, usual, CASE WHEN usual THEN string_split(line, '";"')
    WHEN contains(line, '"') THEN string_split(line[2:if(ends_with(line, '"'), -2, -1)], '";"')
    ELSE string_split(line, ';') END AS f
    FROM matched),
  keyed AS (
    SELECT line, usual, f, coalesce(CASE WHEN usual THEN {usual_key} ELSE upper({key}) END, '') AS key,
      TRY_CAST(key AS BIGINT) AS number FROM split),
  judged AS (
    SELECT key, usual, f, {is_key} AS has_key,
      -- CASE evaluates lambdas on few rows; AND and OR would on all.
      CASE WHEN NOT has_key THEN false WHEN usual THEN true WHEN length(f) <> {columns} THEN false
        WHEN contains(line, '"') AND NOT (starts_with(line, '"') AND ends_with(line, '"')) THEN false
        WHEN CASE WHEN strlen(line) > {longest}
          THEN list_max(list_transform(f, lambda x: length(x))) > {longest} ELSE false END THEN false
        WHEN CASE WHEN contains(line, '";";"')
          THEN list_bool_or(list_transform(f, lambda x: starts_with(x, ';"'))) ELSE false END THEN false
        ELSE true END AS ok
    FROM keyed),
  fields AS (SELECT if(has_key, key, '') AS key, {fields},
    CASE WHEN ok THEN part_of(judged.key) WHEN has_key THEN '{broken}' ELSE '{nameless}' END AS part
    FROM judged)
  SELECT key, {kept}, {filled} AS filled, part FROM fields
) TO {folder} (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, DICTIONARY_SIZE_LIMIT 1000,
  PARTITION_BY (part), APPEND)"""


def copy_statement(kind: str, path: str, folder: Path) -> str:
    """Return the statement that copies the lines in ``path`` to Parquet files in ``folder``, by parts."""
    layout = LAYOUTS[kind]
    of_key = [f"f[{number}]" for number, _ in enumerate(layout.key, 1)]
    of_fields = [f"f[{number}]" for number, _ in enumerate(layout.fields, 1 + len(of_key))]
    usual = [*of_fields[:-1], f"rtrim({of_fields[-1]}, '\"')"]
    # A line may be cut off behind its number, with a separator or a part of it.
    end_of_key = f"if(length(f) = {len(of_key)}, rtrim({of_key[-1]}, '\";'), {of_key[-1]})"
    fields = (
        f"CASE WHEN usual THEN {form.of_usual.format(value)}"
        f" WHEN ok THEN {form.rule.format(column)} ELSE '' END AS {name}"
        for (name, form), column, value in zip(layout.fields.items(), of_fields, usual, strict=True)
    )
    filled = (f"CASE WHEN {name} <> '' THEN {1 << bit} ELSE 0 END" for bit, name in enumerate(layout.fields))
    return _COPY.format(
        usual=layout.usual,
        usual_key=" || ".join([f"{of_key[0]}[2:]", *of_key[1:]]),
        key=" || ".join([*of_key[:-1], end_of_key]),
        is_key=layout.is_key,
        columns=layout.columns,
        longest=_MAX_FIELD,
        fields=", ".join(fields),
        kept=", ".join(f"{made_of} AS {name}" for name, made_of in layout.kept.items()),
        filled=" + ".join(filled),
        broken=BROKEN,
        nameless=NAMELESS,
        path=sql_literals([path]),
        folder=sql_literals([folder]),
    )
