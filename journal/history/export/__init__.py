"""Export of history as hive-partitioned Parquet."""
