"""Stripe's API, events and settings; only billing loads its library (``layers/billing``)."""
