"""A bad day in miniature, over a real gateway: what the status said of it, and whether the history is true.

``make status-day`` plays it, and ends with a code other than 0 where two accounts of it differ.
"""
