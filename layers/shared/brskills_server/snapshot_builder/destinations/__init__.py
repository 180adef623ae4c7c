"""Where snapshots are kept: a folder, and stores that services read them from."""
