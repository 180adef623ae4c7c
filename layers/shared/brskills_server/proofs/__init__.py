"""Signed answers, which can be verified later, without the service: keys and form."""
