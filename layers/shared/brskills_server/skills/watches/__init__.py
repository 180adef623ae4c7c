"""Watched companies, and the feed of what changed in them."""
