"""The national company registry (CNPJ): one record, whichever provider answers."""
