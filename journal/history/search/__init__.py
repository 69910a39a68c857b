"""What the index of past sessions is made of: terms, fields, the feed from the logs, the file."""
