"""Files that cannot be read as a table, and the limits on their size."""

MAX_BYTES = 64 * 1024 * 1024
MAX_CELLS = 5_000_000


class BadTable(Exception):
    """``code``: ``empty``, ``no_column``, ``not_csv``, … as the text ``table_…``, which ``values`` fill."""

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code)
        self.code, self.values = code, values
