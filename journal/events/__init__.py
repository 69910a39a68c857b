"""Event types, builders from hook input, and readers of older versions."""
