"""The record that a run keeps next to its release, whose it is, and how it is read again."""
