"""Parts of the site's pages: templates, guides, and responses with validators."""
