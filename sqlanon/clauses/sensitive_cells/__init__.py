"""Sensitive quasi-identifiers: of a column that is both its cell alone is published."""
