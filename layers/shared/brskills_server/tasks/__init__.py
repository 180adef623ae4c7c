"""Calls of tools that are answered later: their records, and who runs them."""
