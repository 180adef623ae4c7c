"""The command ``brskills``: a thin shell around the client."""
