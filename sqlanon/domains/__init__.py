"""Attributes and their values as relations; hierarchies built, numbered, and checked."""
