"""The site's pages: templates with texts, guides, answers with validators. The standard library alone."""
