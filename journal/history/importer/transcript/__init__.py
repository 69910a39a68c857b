"""What a transcript's lines tell: lines → shape → teller → pack.

Invariant: nothing here writes; the same lines give the same facts, whichever process reads them.
"""
