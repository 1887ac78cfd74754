"""Suppression: records may be left out of a release, as many as a spec allows."""
