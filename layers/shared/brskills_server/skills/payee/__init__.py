"""The payee check: whether the name in a Pix code is one of the company whose CNPJ is its key."""
