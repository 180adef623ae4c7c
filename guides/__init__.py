"""Build step that makes the site's guides from ``docs/*.md``: the site itself reads no Markdown."""
