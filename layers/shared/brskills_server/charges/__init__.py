"""Charges behind the location of a dynamic Pix code: fetched, verified and read."""
