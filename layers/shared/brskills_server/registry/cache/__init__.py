"""Stored answers: records and absences, and how long each is valid."""
