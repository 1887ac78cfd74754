"""Measuring what a reader can tie together: every privacy model, and the information lost."""
