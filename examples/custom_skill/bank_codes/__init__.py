"""Which bank a COMPE or ISPB code belongs to: an example of a custom skill of brskills."""
