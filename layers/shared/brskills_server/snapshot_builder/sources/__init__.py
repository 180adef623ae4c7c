"""Bringing a month's 37 files into a folder, from a local one or from the federal share over WebDAV."""
