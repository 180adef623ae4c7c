"""Webhooks: addresses of accounts to which events are delivered, signed by Standard Webhooks."""
