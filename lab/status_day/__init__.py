"""A day with outages over a real gateway: the status it reports, and its history recounted from the log."""
