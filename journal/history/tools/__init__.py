"""The four tools for a model: recall, get, note, status.

`tools.json` describes them; `run.call` calls one. Invariant: only `note` changes anything in the
journal home: it appends events of its session.
"""
