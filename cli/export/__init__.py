"""`journal export`: history as Parquet in a folder or bucket, for other engines."""
