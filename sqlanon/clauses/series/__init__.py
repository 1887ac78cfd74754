"""Releases of the same persons: those of a series, and those whose rows readers join."""
