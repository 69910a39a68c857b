"""A benchmark of recall: whether the text after a compaction says what the summary lost."""
