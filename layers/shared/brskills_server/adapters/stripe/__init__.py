"""Stripe: settings, API and events.

Only ``processor`` and ``webhook`` import ``stripe``, which only the billing function's layer has
(``layers/billing``); they are imported only if a processor is configured.
"""
