"""Pure folds over the events of one project: event in, view out.

No I/O, no clock, no mutation of an argument; order is `seq` and nothing else. `REGISTRY` names the
projections; `projections.fold` runs them.
"""
