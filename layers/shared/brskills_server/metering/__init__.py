"""Counting calls exactly: quota, ledger, idempotency, and allowances for what is not counted."""
