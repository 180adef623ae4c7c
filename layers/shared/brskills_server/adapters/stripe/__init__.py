"""Stripe: settings, secrets, its API and its events.

Only ``processor`` and ``webhook`` import ``stripe``, which the billing function alone has
(``layers/billing``); they are loaded where a processor is configured and nowhere else.
"""
