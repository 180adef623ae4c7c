"""What the site's pages are made of: templates with texts in two languages, guides, and responses with ETags."""
