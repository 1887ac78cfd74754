"""SABRE: a sensitive attribute's buckets, and classes with their share of each."""
