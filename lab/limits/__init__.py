"""The highest cost of one call of each route: the figures of docs/evidence/limits.md."""
