"""Publish a table so that no person in it can be picked out, and prove it, in the database."""

__version__ = "0.1.0"
