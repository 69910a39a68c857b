"""The models of the API's requests and responses, from which its OpenAPI document is made.

A model is built from the journal's own object. A member that has another name there, or is computed
from it, declares that. Invariant: the API answers with one of these models or with `ErrorResponse`;
the page uses the same objects. Times are ISO 8601 in UTC, "" for none; null is unknown, not zero.
"""
