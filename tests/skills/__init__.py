"""Tests of the skills: their form, the commands they name, and what they leave to the person."""
