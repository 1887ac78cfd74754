"""Judging what is about to be published, or any table: by measures, and against its source."""
