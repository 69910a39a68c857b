"""Pure folds over the events of one project, in the order of `seq`.

No I/O, no clock, no changed arguments. `registry.REGISTRY` has all projections by name;
`fold.Fold` runs them.
"""
