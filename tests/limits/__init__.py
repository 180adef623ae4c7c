"""The highest cost of one call of each route: the figures of docs/limits.md."""
