"""Exact counting of calls: quota, ledger, idempotency, and allowances for uncounted work."""
