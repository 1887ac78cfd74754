"""A report of a release for people: its sections and figures."""
