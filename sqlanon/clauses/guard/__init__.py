"""Guarding nodes: what a person does not want to be known, no class tells. Xiao and Tao (2006)."""
