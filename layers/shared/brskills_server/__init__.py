"""The brskills server: every package that is installed beside ``brcode`` and ``taxid``, in one namespace."""
