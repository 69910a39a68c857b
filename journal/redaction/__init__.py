"""Redaction: the rules for secrets, and what applies them to an event."""
