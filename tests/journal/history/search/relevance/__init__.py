"""A labelled set: sessions made of hand-written topics in three languages, and what is asked.

`*.txt` hold the topics: `@ name ~near…`, then files (f), prompts (p), replies (r), decisions (d),
errors (e) and queries (q). A topic's sessions answer its queries (2), those of a near one in part (1).
"""
