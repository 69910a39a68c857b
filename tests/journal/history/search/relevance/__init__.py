"""A labelled set: sessions made from hand-written topics in three languages, and queries.

`*.txt` hold the topics: `@ name ~near…`, then files (f), prompts (p), replies (r), decisions (d),
errors (e) and queries (q). A topic's sessions answer its queries fully (grade 2), those of a near
topic partly (grade 1).
"""
