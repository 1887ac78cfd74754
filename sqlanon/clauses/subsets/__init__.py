"""Subsets: a greater k for a reader who knows some of the quasi-identifiers only."""
