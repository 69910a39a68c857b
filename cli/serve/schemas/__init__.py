"""Requests and responses of the API, one model each; its OpenAPI is made from them.

A model of something that the journal has is made of that very object: where a member has another
name there, or is computed from it, the member says so. Invariant: the API answers with one of these
or with `ErrorResponse`; the page uses the same objects. Times are ISO 8601 in UTC, "" where there
is none; null is unknown, not zero.
"""
