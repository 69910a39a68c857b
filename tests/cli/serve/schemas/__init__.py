"""Tests of the models of the API."""
