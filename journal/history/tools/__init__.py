"""The four tools for a model: recall, get, note, status.

`tools.json` describes them once, for whoever offers them; `run.call` calls one. Invariant: only
`note` changes anything in the journal home, and that by appending events of its own session.
"""
