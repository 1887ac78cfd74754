"""The classes of an earlier release, laid over a table in place of a search."""
