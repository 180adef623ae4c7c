"""Lookups of the companies of a CSV file."""
