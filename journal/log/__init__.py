"""The log itself: records, the locked append, the reader, segments, snapshots, repair."""
