"""Implementations of ports: stores, Stripe, API Gateway, CloudWatch. Importing this package loads none."""
