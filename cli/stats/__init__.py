"""Reports over history: `journal stats`, and the drawing `journal tune` shares.

history → one module of pure functions per report (data in, rows out) → draw, page. Invariant: a
report says unknown where the log does not tell, and never counts an unknown as zero.
"""
