"""Webhooks: addresses of an account to which events are delivered."""
