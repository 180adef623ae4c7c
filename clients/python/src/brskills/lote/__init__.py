"""Companies and Pix codes of a whole table, resumably and counted once."""
