"""Microaggregation: groups of k neighbours, joined until every model holds."""
