"""Reports over history: `journal stats`, and the plots that `journal tune` shares.

Data flow: history → one pure function per report (data in, rows out) → draw, page. Invariant: a
number that the log does not contain is reported as unknown, never as zero.
"""

NAMES = ("compactions", "pressure", "advice", "stages", "hooks", "usage", "sessions")
