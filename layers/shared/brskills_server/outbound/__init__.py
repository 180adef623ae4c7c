"""Requests to other services, and to addresses that strangers choose."""
