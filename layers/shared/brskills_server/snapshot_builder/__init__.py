"""The builder of snapshots of the federal register, from the published files to the snapshot in place."""
