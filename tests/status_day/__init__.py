"""A day with outages over a real gateway: the status it reports, and its history recounted from the log.

``make status-day`` runs it and exits with a code other than 0 if two counts differ.
"""
