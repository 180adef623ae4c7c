"""Makes the site's guides of ``docs/*.md``, before anything runs: the site itself reads no Markdown."""
