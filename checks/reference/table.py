"""Rows of a Markdown table."""


def row(*cells: object) -> str:
    """Return a row; a bar within a cell is written as an entity."""
    return f"| {' | '.join(str(cell).replace('|', '&#124;') for cell in cells)} |"
