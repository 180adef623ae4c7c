"""Invented months of the federal register, in its published layout, with what must be read out of them.

Nothing in them is anybody's: names, numbers and documents are made from a seed and a number.
"""
