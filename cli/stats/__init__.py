"""Reports over history: `journal stats`, and the plots that `journal tune` shares.

Data flow: history → one pure function per report (data in, rows out) → draw, page. Invariant: what
the log does not contain is reported as unknown, never counted as zero.
"""
