"""Persons: where several records are about one, k, l and t count persons and not records."""
