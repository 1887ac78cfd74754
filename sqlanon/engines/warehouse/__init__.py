"""What all warehouses share: their sessions, their relations, and how a run publishes there."""
