"""Events: their types, how they are built from hook input, how old versions are read."""
