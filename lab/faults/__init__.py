"""Faults under traffic: the real gateway, a component that fails, and a recount from every side."""
