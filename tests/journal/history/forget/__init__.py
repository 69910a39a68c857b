"""Tests of `journal.history.forget`: redact and gc over a whole journal home."""
