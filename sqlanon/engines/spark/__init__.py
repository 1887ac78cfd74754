"""Spark, local, on a cluster or through Spark Connect."""
