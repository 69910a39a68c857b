"""A team's history: the tables of many journals as Delta tables in one directory or bucket."""
