"""A spreadsheet's companies, looked up in batches: reading, asking, noting, writing."""
