"""The common part of all warehouses: sessions, relations, and how a run publishes there."""
