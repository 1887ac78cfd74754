"""Trying many settings, publishing nothing: sweeps over k, t and methods, the choice of k."""
