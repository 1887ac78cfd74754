"""Slices: attributes that stay together, where others are shuffled inside a group."""
