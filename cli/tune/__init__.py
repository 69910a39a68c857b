"""`journal tune`: what hooks would have said under other thresholds, weighed against history.

cli.report.history → core, stages (pure) → command. Invariant: a setting is proposed, never set.
"""
